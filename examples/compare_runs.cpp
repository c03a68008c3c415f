// compare_runs.cpp: whether two trainings found the same components, in C++.
//
//   eccentric train glyphs --latent 8 --seed 1 --out one
//   eccentric train glyphs --latent 8 --seed 2 --out two
//   c++ -std=c++17 compare_runs.cpp $(pkg-config --cflags --libs eccentric_model) -o compare_runs
//   ./compare_runs one two glyphs
//
// Both encode the same items; components are matched on the training part, angles measured on the
// test part, as `eccentric align` does.  The handle is wrapped so that it closes itself and throws
// the library's sentence.
#include <eccentric_model.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

static void check(ecc_status status, const ecc_error &error)
{
    if (status != ECC_OK) throw std::runtime_error(error.text);
}

class Run
{
  public:
    explicit Run(const char *directory)
    {
        ecc_error error;
        ecc_model *model = nullptr;
        check(ecc_model_open(&model, directory, nullptr, &error), error);
        model_.reset(model);
        check(ecc_model_components(model, &components_, nullptr, nullptr, &error), error);
    }
    ~Run()
    {
        ecc_components_release(&components_);
    }
    Run(const Run &) = delete;
    Run &operator=(const Run &) = delete;

    std::size_t latent() const
    {
        return ecc_model_describe(model_.get()).latent;
    }

    // The items of the data along the run's components, [n, latent].
    std::vector<float> encode(const std::string &data, std::size_t items)
    {
        ecc_error error;
        float *z = nullptr;
        std::size_t n = 0;
        check(
            ecc_model_latents(model_.get(), &z, nullptr, &n, data.c_str(), items, nullptr, &error),
            error);
        std::vector<float> p(z, z + n * latent());
        std::free(z);
        check(ecc_components_project(&components_, p.data(), p.data(), n, &error), error);
        return p;
    }

  private:
    struct Close {
        void operator()(ecc_model *model) const
        {
            ecc_model_close(model);
        }
    };
    std::unique_ptr<ecc_model, Close> model_;
    ecc_components components_{};
};

int main(int argc, char **argv)
{
    if (argc < 4) {
        std::fprintf(stderr, "usage: compare_runs RUN RUN DATA [ITEMS]\n");
        return 2;
    }
    try {
        Run a(argv[1]), b(argv[2]);
        const std::string data = argv[3];
        const std::size_t items = argc > 4 ? std::strtoul(argv[4], nullptr, 10) : 0;
        const std::size_t d = a.latent();
        if (b.latent() != d) throw std::runtime_error("the runs have different latent sizes");
        const std::vector<float> train_a = a.encode(data + ":train", items);
        const std::vector<float> train_b = b.encode(data + ":train", items);
        const std::vector<float> test_a = a.encode(data + ":test", items);
        const std::vector<float> test_b = b.encode(data + ":test", items);

        ecc_error error;
        ecc_alignment alignment;
        check(ecc_align(&alignment, train_a.data(), train_b.data(), train_a.size() / d,
                        test_a.data(), test_b.data(), test_a.size() / d, d, &error),
              error);
        std::printf("angle %.3f, aligned %.3f, rotated %.3f, CKA %.4f\n", alignment.angle_raw,
                    alignment.angle_aligned, alignment.angle_procrustes, alignment.cka);
        for (std::size_t k = 0; k < d; k++) {
            std::printf("p%zu is %sp%zu, correlation %.3f\n", k + 1,
                        alignment.sign[k] < 0 ? "-" : "", alignment.partner[k] + 1,
                        alignment.correlation[k]);
        }
        ecc_alignment_release(&alignment);
    } catch (const std::runtime_error &error) {
        std::fprintf(stderr, "compare_runs: %s\n", error.what());
        return 1;
    }
    return 0;
}
