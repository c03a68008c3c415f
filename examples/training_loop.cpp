// training_loop.cpp: the eccentric loss in somebody else's training loop, in C++.
//
//   c++ -std=c++17 training_loop.cpp $(pkg-config --cflags --libs eccentric) -o training_loop
//
// The plan is wrapped so that it frees itself and throws the library's sentence; after that one
// line per step gives value and gradient.  Here the "network" is the identity: the latents
// themselves are the parameters, moved by plain gradient descent until they cover the circle of
// radius sqrt(2).
#include <eccentric.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <random>
#include <stdexcept>
#include <vector>

class EccentricLoss
{
  public:
    EccentricLoss(std::size_t batch, std::size_t dim, double mu = 1.0) : dim_(dim)
    {
        ecc_loss_options options = ecc_loss_defaults();
        options.mu = mu;
        ecc_error error;
        ecc_loss_plan *plan = nullptr;
        if (ecc_loss_plan_create(&plan, batch, dim, &options, &error) != ECC_OK) {
            throw std::runtime_error(error.text);
        }
        plan_.reset(plan);
    }

    // The loss of the latents z, [batch, dim] row by row; dz receives its gradient.
    double operator()(const std::vector<float> &z, std::vector<float> &dz)
    {
        ecc_loss_value value;
        ecc_error error;
        dz.resize(z.size());
        if (ecc_loss_plan_evaluate(plan_.get(), &value, dz.data(), z.data(), z.size() / dim_,
                                   &error) != ECC_OK) {
            throw std::runtime_error(error.text);
        }
        return value.loss;
    }

  private:
    struct Free {
        void operator()(ecc_loss_plan *plan) const
        {
            ecc_loss_plan_free(plan);
        }
    };
    std::size_t dim_;
    std::unique_ptr<ecc_loss_plan, Free> plan_;
};

int main()
{
    try {
        const std::size_t batch = 200, dim = 2;
        std::mt19937 generator(1);
        std::normal_distribution<float> normal;
        std::vector<float> z(batch * dim), dz;
        for (float &coordinate : z) coordinate = normal(generator);

        EccentricLoss loss(batch, dim);
        double value = 0;
        for (int step = 0; step < 500; step++) {
            value = loss(z, dz);
            for (std::size_t i = 0; i < z.size(); i++) z[i] -= 0.4F * batch * dz[i];
        }

        double radius = 0;
        for (std::size_t i = 0; i < batch; i++)
            radius += std::hypot(z[2 * i], z[2 * i + 1]) / batch;
        std::printf("loss %.4f, mean radius %.4f (sqrt(2) = %.4f)\n", value, radius,
                    std::sqrt(2.0));

        z[7] = NAN; // what is wrong is said in a sentence
        loss(z, dz);
    } catch (const std::runtime_error &error) {
        std::printf("caught: %s\n", error.what());
        return 0;
    }
    return 1;
}
