/* formats.c: files that are not read, and how to turn them into ones that are. */
#include "data/formats.h"

#include "base/file.h"
#include "base/text.h"
#include "data/encoding.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define EXCEL "in Excel or LibreOffice, save the sheet as CSV UTF-8"
#define PANDAS(call) "in Python: import pandas as pd; pd." call ".to_csv('table.csv', index=False)"
#define UNPACK(program) "unpack it first: " program
/* Converted by ImageMagick, and given as a folder. */
#define IMAGE(ending) "convert such images to PNG, as with: mogrify -format png *." ending

static const struct format {
    const char *magic; /* what it starts with; NULL: known by its ending only */
    size_t length, offset;
    const char *ending; /* NULL: any */
    const char *name, *remedy;
    bool image;
} formats[] = {
    {"PK\3\4", 4, 0, ".xlsx", "an Excel workbook", EXCEL},
    {"PK\3\4", 4, 0, ".xlsm", "an Excel workbook", EXCEL},
    {"PK\3\4", 4, 0, ".ods", "an OpenDocument sheet", EXCEL},
    {"PK\3\4", 4, 0, NULL, "a zip archive", UNPACK("unzip FILE")},
    {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 8, 0, NULL, "an old Excel or Office file", EXCEL},
    {"MATLAB 5.0", 10, 0, NULL, "a MATLAB file",
     "in MATLAB: writetable(array2table(X), 'table.csv'); in Python: scipy.io.loadmat, then "
     "numpy.save"},
    {"\x89HDF\r\n\x1a\n", 8, 0, ".mat", "a MATLAB 7.3 file (HDF5)",
     "in MATLAB: writetable(array2table(X), 'table.csv')"},
    {"\x89HDF\r\n\x1a\n", 8, 0, NULL, "an HDF5 file",
     "in Python: import h5py, numpy; numpy.save('table.npy', h5py.File('FILE')['NAME'][:])"},
    {"PAR1", 4, 0, NULL, "a Parquet file", PANDAS("read_parquet('FILE')")},
    {"ARROW1", 6, 0, NULL, "a Feather (Arrow) file", PANDAS("read_feather('FILE')")},
    {"FEA1", 4, 0, NULL, "a Feather file", PANDAS("read_feather('FILE')")},
    {"$FL", 3, 0, NULL, "an SPSS file", PANDAS("read_spss('FILE')")},
    {"<stata_dta>", 11, 0, NULL, "a Stata file", PANDAS("read_stata('FILE')")},
    {"HEADER RECORD*******", 20, 0, NULL, "a SAS transport file", PANDAS("read_sas('FILE')")},
    {"RDX", 3, 0, NULL, "an R data file", "in R: load it, then write.csv(x, 'table.csv')"},
    {"X\n\0\0\0", 5, 0, NULL, "an R object (RDS)",
     "in R: write.csv(readRDS('FILE'), 'table.csv', row.names = FALSE)"},
    {"SQLite format 3", 16, 0, NULL, "an SQLite database",
     "sqlite3 -csv -header FILE 'select * from NAME' > table.csv"},
    {"\x80\x04\x95", 3, 0, NULL, "a Python pickle", PANDAS("read_pickle('FILE')")},
    {"\x80\x05\x95", 3, 0, NULL, "a Python pickle", PANDAS("read_pickle('FILE')")},
    {"%PDF", 4, 0, NULL, "a PDF document", "take the table from where the document got it"},
    {"BZh", 3, 0, NULL, "a bzip2 file", UNPACK("bunzip2 FILE")},
    {"\xfd"
     "7zXZ",
     5, 0, NULL, "an xz file", UNPACK("unxz FILE")},
    {"\x28\xb5\x2f\xfd", 4, 0, NULL, "a zstd file", UNPACK("unzstd FILE")},
    {"7z\xbc\xaf", 4, 0, NULL, "a 7z archive", UNPACK("7z x FILE")},
    {"ustar", 5, 257, NULL, "a tar archive", UNPACK("tar xf FILE")},
    {"\x89PNG", 4, 0, NULL, "a PNG image", "give the folder that holds the images"},
    {"\xff\xd8\xff", 3, 0, NULL, "a JPEG image", "give the folder that holds the images"},
    {"GIF8", 4, 0, NULL, "a GIF image", IMAGE("gif"), true},
    {"II*\0", 4, 0, NULL, "a TIFF image", IMAGE("tif"), true},
    {"MM\0*", 4, 0, NULL, "a TIFF image", IMAGE("tif"), true},
    {"II+\0", 4, 0, NULL, "a TIFF image", IMAGE("tif"), true},
    {"BM", 2, 0, ".bmp", "a BMP image", IMAGE("bmp"), true},
    {"ftypheic", 8, 4, NULL, "a HEIC image", IMAGE("heic"), true},
    {"ftypheix", 8, 4, NULL, "a HEIC image", IMAGE("heic"), true},
    {"ftypmif1", 8, 4, NULL, "a HEIF image", IMAGE("heif"), true},
    {"ftypavif", 8, 4, NULL, "an AVIF image", IMAGE("avif"), true},
    {"\xff\x0a", 2, 0, ".jxl", "a JPEG XL image", IMAGE("jxl"), true},
    {"\0\0\0\x0cJXL ", 8, 0, NULL, "a JPEG XL image", IMAGE("jxl"), true},
    {"\0\0\0\x0cjP  ", 8, 0, NULL, "a JPEG 2000 image", IMAGE("jp2"), true},
    {"8BPS", 4, 0, NULL, "a Photoshop file", IMAGE("psd"), true},
    {"P5", 2, 0, ".pgm", "a PGM image", IMAGE("pgm"), true},
    {"P6", 2, 0, ".ppm", "a PPM image", IMAGE("ppm"), true},
    {"DICM", 4, 128, NULL, "a DICOM image", IMAGE("dcm"), true},
    {"<svg", 4, 0, NULL, "an SVG drawing", "convert such drawings to PNG, as with: rsvg-convert",
     true},
    {"WEBP", 4, 8, NULL, "a WebP image", "give the folder that holds the images"},
    {"\x93NUMPY", 6, 0, NULL, "a NumPy array", "give it a name that ends in .npy"},
    {"version https://git-lfs", 23, 0, NULL, "a pointer of Git LFS, not the data",
     "fetch it: git lfs pull"},
    {"<!doctype html", 14, 0, NULL, "a web page", "download the data itself"},
    {"<html", 5, 0, NULL, "a web page", "download the data itself"},
    {"<?xml", 5, 0, NULL, "an XML document", "export the table as CSV"},
    {"@relation", 9, 0, NULL, "a Weka file (ARFF)",
     "delete the lines before @data, and write the names of the columns as the first line"},
    {"{", 1, 0, NULL, "a JSON document", PANDAS("read_json('FILE')")},
    {"[", 1, 0, ".json", "a JSON document", PANDAS("read_json('FILE')")},
    {NULL, 0, 0, ".mat", "a MATLAB file", "in MATLAB: writetable(array2table(X), 'table.csv')"},
    {NULL, 0, 0, ".sas7bdat", "a SAS file", PANDAS("read_sas('FILE')")},
    {NULL, 0, 0, ".dta", "a Stata file", PANDAS("read_stata('FILE')")},
    {NULL, 0, 0, ".pkl", "a Python pickle", PANDAS("read_pickle('FILE')")},
};

/* Text formats are known in any case of their letters. */
static bool starts(const struct format *f, const unsigned char *bytes, size_t size)
{
    if (size < f->offset + f->length) return false;
    const char *const at = (const char *)bytes + f->offset;
    if (*f->magic == '<' || *f->magic == '@') return strncasecmp(at, f->magic, f->length) == 0;
    return memcmp(at, f->magic, f->length) == 0;
}

static const struct format *find(const unsigned char *bytes, size_t size, const char *path,
                                 bool binary)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const struct format *const f = &formats[i];
        if (f->ending && !ecc_ends_in_any_case(path, f->ending)) continue;
        if (f->magic ? starts(f, bytes, size) : binary) return f;
    }
    return NULL;
}

bool ecc_formats_find_image(struct ecc_image_format_found *found, const char *path)
{
    unsigned char bytes[256];
    FILE *stream;
    struct ecc_error unused;
    if (ecc_input_open(&stream, path, &unused) != ECC_OK) return false;
    const size_t size = fread(bytes, 1, sizeof bytes, stream);
    fclose(stream);
    const struct format *const f = find(bytes, size, path, false);
    if (!f || !f->image) return false;
    *found = (struct ecc_image_format_found){f->name, f->remedy};
    return true;
}

enum ecc_status ecc_formats_refuse(const unsigned char *bytes, size_t size, const char *path,
                                   struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    const unsigned char *const zero =
        ecc_bytes_are_wide(bytes, size) ? NULL : memchr(bytes, '\0', size);
    const struct format *const f = find(bytes, size, path, zero);
    if (f) {
        return ecc_fail(
            error, ECC_BAD_DATA, "%s is %s, expected %s; %s", ecc_quote_path(shown, path), f->name,
            f->image ? "a folder of images" : "a table as text, .npy or .npz", f->remedy);
    }
    if (!zero) return ECC_OK;
    return ecc_fail(error, ECC_BAD_DATA, "%s is not text: byte %zu is 0; export the table as CSV",
                    ecc_quote_path(shown, path), (size_t)(zero - bytes));
}
