"""kinds_data.py: small colour images with attributes, tables of 4 to 7,000 columns, and latents from elsewhere, for the explorer's page to show."""
import numpy as np
import toy

r = np.random.default_rng(1)
bright, red = attributes = r.random((2, 200)) < 0.5
x = np.where(bright[:, None, None, None], 150.0, 50.0) + r.normal(0, 6, (200, 20, 20, 3))
x[red, ..., 0] += 80
toy.faces("faces", ["Bright", "Rather_Red"], x, attributes.T)

base = r.normal(size=(400, 2))
rows = np.c_[base[:, 0] * 3 + 10, base[:, 0] - base[:, 1], base[:, 1] * 100, base.sum(1)] + r.normal(size=(400, 4)) * 0.01
for name, values in (("table.csv", rows), ("shifted.csv", 1.5 * rows + 7)):
    with open(name, "w") as file:
        file.write("height,width,mass,sum,kind\n")
        for row, b in zip(values, base):
            file.write(",".join(f"{v:.5f}" for v in row) + (",big" if b[0] > 0 else ",small") + "\n")

# as people have them: dates, words, gaps, a number to predict, more classes than colours
with open("homes.csv", "w") as file:
    file.write("size,rooms,sold,town,heating,price\n")
    for i in range(300):
        size, day = 40 + 12 * r.gamma(5), int(r.integers(1, 29))
        town = "-abcdefghijkl"[r.integers(0, 13)]
        heating = "" if i % 7 == 3 else f"{size * 0.2 + r.normal():.2f}"
        file.write(f"{size:.1f},{int(size / 25) + 1},2023-{r.integers(1, 13):02d}-{day:02d},{'' if town == '-' else town * 3},{heating},{3000 * size + r.normal() * 9000:.2f}\n")

for columns, count in ((30, 300), (500, 200), (7000, 120)):
    hidden = r.normal(size=(count, 3))
    scale = 10.0 ** r.integers(-1, 4, columns)
    x = (hidden @ r.normal(size=(3, columns)) + 0.3 * r.normal(size=(count, columns))) * scale + 2 * scale
    with open(f"table{columns}.csv", "w") as file:
        file.write(",".join(f"measure {i}" for i in range(columns)) + ",kind\n")
        for row, h in zip(x, hidden):
            file.write(",".join(f"{v:.3f}" for v in row) + (",big" if h[0] > 0 else ",small") + "\n")

# latents from elsewhere in three groups, with rings in their colours, a number, more words than colours, and words that are all different
kind = r.integers(0, 3, 150)
z = r.normal(size=(150, 5)) * [1, 1, 0.6, 0.4, 0.3] + np.array([[4, 0, 0, 0, 0], [-2, 3, 0, 1, 0], [-2, -3, 1, 0, 0]])[kind]
rings = np.full((150, 3, 20, 20), 0.1, np.float32)
far = np.hypot(np.arange(20)[:, None] - 9.5, np.arange(20) - 9.5)
rings[np.arange(150), kind] = np.clip(1.2 - abs(far - 5 - z[:, 3, None, None]) / 3, 0, 1)
np.save("own.npy", z)
np.save("own_x.npy", rings)
with open("own.csv", "w") as file:
    file.write("label,weight,home_town,note\n")
    for i, (k, row) in enumerate(zip(kind, z)):
        file.write(f"{('red', 'green', 'blue')[k]},{2 * row[0] + 5:.3f},{'' if i % 13 == 12 else 'abcdefghijkl'[i % 13] * 3},note{i}\n")

# more latents than dots can show: two clouds and a line
r = np.random.default_rng(9)
many = r.normal(size=(120000, 2)) * [0.5, 0.3] + np.where(np.arange(120000) % 3 == 0, 2, -1)[:, None] * [1, 0]
many[:4000] = np.stack([np.linspace(-2, 2, 4000), np.full(4000, 1.5)], 1)
np.save("many.npy", many.astype(np.float32))
