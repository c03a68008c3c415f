# The theory's numbers, its figures and tables, and its errors.
set -e
"$eccentric" theory radius --dim 2 --mu 5
"$eccentric" theory radius --dim 12 --mu 2.1
"$eccentric" theory radius --dim 64 --mu 1.8 --json
"$eccentric" theory radius --dim 8 --mu 1 --m exact
"$eccentric" theory radius --dim 8 --mu 1 --m 10
"$eccentric" theory m --dim 2 --mu 1
"$eccentric" theory m --dim 8 --mu 1 --radius 1 --json
"$eccentric" theory force --out f.svg --csv f.csv
head -n 3 f.csv
head -c 5 f.svg; echo
"$eccentric" theory accuracy --quiet --to 130 --step 0.1 --out a.pdf --csv a.csv | grep -v ' s$'
head -n 3 a.csv
head -c 5 a.pdf; echo
"$eccentric" theory accuracy --quiet --from 200 --to 201 | grep claim
ls
set +e
"$eccentric" theory force --mu 1,,x; echo "-> $?"
"$eccentric" theory force --mu 0.5; echo "-> $?"
"$eccentric" theory force --out f.jpg; echo "-> $?"
"$eccentric" theory force --out f.csv/f.png; echo "-> $?"
"$eccentric" theory accuracy --from 9 --to 3; echo "-> $?"
ls
