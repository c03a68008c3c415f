# Tables as spreadsheets, pandas, R and databases write them: the same rows in five files give the same latents.
set -e
"$python" - <<'PYTHON'
import random
random.seed(3)
rows = []
for i in range(60):
    rows.append((1000 + i, None if i % 11 == 4 else random.randint(18, 80), 1000 * random.random() ** 3, ["Köln", "Paris", "Rom"][i % 3],
                 "yes" if random.random() < 0.4 else "no", (2020 + i % 3, 1 + i % 12, 1 + i % 28), "note %d; and more" % i, "ab"[i % 2]))
NAMES = ["id", "age", "income", "city", "smoker", "joined", "note", "class"]

def table(path, separator, decimal, date, encoding, gap="", end="\n", index=False, quote='"'):
    lines = [separator.join(([quote + quote] if index else []) + NAMES)]
    for number, (a, age, income, city, smoker, day, note, kind) in enumerate(rows):
        cells = [str(a), gap if age is None else str(age), ("%.2f" % income).replace(".", decimal), city, smoker, date % day, quote + note + quote, kind]
        lines.append(separator.join((["%d" % number] if index else []) + cells))
    open(path, "wb").write((end.join(lines) + end).encode(encoding))

table("pandas.csv", ",", ".", "%d-%02d-%02d", "utf-8")
table("excel.csv", ";", ",", "%d-%02d-%02d", "utf-8-sig", end="\r\n")
table("excel.txt", "\t", ",", "%d-%02d-%02d", "utf-16", end="\r\n", gap="#N/A")
table("r.csv", ",", ".", "%d-%02d-%02d", "latin-1", gap="NA", index=True)
table("dump.txt", "|", ".", "%d-%02d-%02d", "utf-8", gap="\\N")

lines = open("pandas.csv").read().splitlines()
lines[3] = lines[3].replace(",", ",x", 2)
lines[7] += ",9"
lines[20] = "1,2"
for i in range(30, 36):
    lines[i] = lines[i].replace(",yes,", ",perhaps %d," % i).replace(",no,", ",perhaps %d," % i)
    cells = lines[i].split(",")
    cells[2] = "about " + cells[2]
    lines[i] = ",".join(cells)
open("wrong.csv", "w").write("\n".join(lines) + "\n")
open("book.xlsx", "wb").write(b"PK\3\4 and so on")
open("page.csv", "w").write("<!DOCTYPE html><p>not found")
PYTHON
"$eccentric" data info pandas.csv:all
echo "## the others differ only in their remarks"
for data in excel.csv excel.txt r.csv dump.txt; do
    "$eccentric" data info $data:all | grep remark || true
done
echo "## a header that only counts, as pandas writes it; years; line ends of three kinds; two rows"
"$python" - <<'PYTHON'
import random
random.seed(4)
def table(path, head, row, ends=("\n",)):
    lines = [head] + [row(i) for i in range(40)]
    open(path, "wb").write("".join(line + ends[i % len(ends)] for i, line in enumerate(lines)).encode())
number = lambda: "%.3f" % random.gauss(0, 1)
table("counted.csv", "0,1,2", lambda i: ",".join([number(), number(), number()]))
table("index.csv", ",0,1,2", lambda i: ",".join([str(i), number(), number(), number()]))
table("whole.csv", "0,1,2,3,4", lambda i: ",".join(str(random.randint(0, 90)) for _ in range(5)))
table("years.csv", "land,2019,2020", lambda i: ",".join(["land %d" % i, number(), number()]))
table("same.csv", "1,2,3,4,5", lambda i: "1,2,3,4,5" if i % 2 else "2,4,%d,8,9" % i)
table("ends.csv", "a,b", lambda i: number() + "," + number(), ("\n", "\r\n", "\r", "\r\r\n"))
open("two.csv", "w").write("a,b\n1,2\n3,4\n")
PYTHON
for data in counted index whole years same ends two; do
    echo "\$ data info $data.csv"
    "$eccentric" data info $data.csv:all 2>&1 | grep -v "^data\|^source\|^split\|^values\|^training\|^labels\|^  name" || true
done
echo "## chosen columns"
"$eccentric" data info pandas.csv --columns age,'"income"' --scaling robust | grep -v class
"$eccentric" data info pandas.csv --drop joined,note --label smoker | sed -n 5,14p
"$eccentric" data info pandas.csv --label age | grep 'age\|number'
echo "## a run finds its columns in the other files"
"$eccentric" train pandas.csv:all --out run --latent 2 --epochs 3 --quiet >/dev/null
for data in pandas.csv excel.csv excel.txt r.csv dump.txt; do
    "$eccentric" encode run $data --out $data.z.csv 2>remarks >/dev/null
    grep '^eccentric' remarks || true
    cmp pandas.csv.z.csv $data.z.csv && echo "$data: the same latents"
done
cut -d, -f2-4 pandas.csv >few.csv
"$eccentric" encode run few.csv --out few.z.csv && exit 1
echo "## all that is wrong at once, and what to do"
"$eccentric" data info wrong.csv && exit 1
"$eccentric" data info pandas.csv --columns agee && exit 1
"$eccentric" data info book.xlsx && exit 1
"$eccentric" data info page.csv && exit 1
echo "## as a German Excel has it"
"$python" - <<'PYTHON'
import random
random.seed(4)
with open("excel.csv", "w", encoding="utf-16") as f:
    print("Kunde;Gewicht;Status;Umsatz", file=f)
    for i in range(60):
        weight = "k.A." if i % 20 == 7 else f"{60 + random.gauss(0, 9):.1f}".replace(".", ",")
        sales = "#NV" if i % 30 == 3 else "\u2013" if i % 30 == 4 else f"1.{random.randint(0, 999):03d},{random.randint(0, 99):02d}"
        print(f"K{i}", weight, random.choice(["Gold", "Silber", "Bronze"]), sales, sep=";", file=f)
PYTHON
"$eccentric" data info excel.csv:all | sed -n '/^columns/,/Umsatz/p; /^hint/p; /^remark.*missing/p'
"$eccentric" data info excel.csv:all --label Status | grep -c ^hint || true
exit 0
