# Folders of images as people have them: WebP, photos with an EXIF orientation.
set -e
corpus=$data/../fuzz/corpus/image
mkdir webp photos
cp "$corpus/lossy.webp" "$corpus/lossless.webp" webp/
cp "$corpus/alpha.webp" webp/no_ending
cp "$corpus/exif.jpg" photos/a.jpg
cp "$corpus/exif.jpg" photos/b.JPEG
echo "## WebP"
"$eccentric" data info webp:all
echo "## photos on their side: 17 x 13 is stored, 13 x 17 is shown"
"$eccentric" data info photos:all
echo "## an animation"
cp "$corpus/animation.webp" webp/
"$eccentric" data info webp 2>&1 || true
