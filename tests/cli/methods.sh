# The list of methods, one method's options, and texts that choose nothing.
try() {
    "$eccentric" "$@"
    echo "-> $?"
}
try methods irmae
try methods eccentric
try methods none
try methods sphere --json
try methods lasso
try train glyphs --regularizer irmae:layer=3 --out r
try train glyphs --regularizer irmae:layers=30 --out r
