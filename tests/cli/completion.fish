# What fish completes the lines of standard input to, by the script $argv[1].
source $argv[1]
while read -l line
    echo "> $line"
    complete -C $line | string replace -r '\t.*' '' | string replace -r '^--[a-z]*=' '' | sort -u
end
