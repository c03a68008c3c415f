// native.cpp: the loss as a function of PyTorch's autograd, without Python in between.  _native.py
// compiles it.
//
// It belongs to one version of PyTorch.  The C library is the one that the package has loaded:
// Python passes the addresses of its functions.
#include "eccentric.h"

#include <Python.h>
#include <torch/csrc/autograd/functions/utils.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/autograd/saved_variable.h>

#include <ATen/Parallel.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

namespace
{

using at::Tensor;
using torch::autograd::Node;
using torch::autograd::SavedVariable;
using torch::autograd::variable_list;

decltype(&ecc_loss_plan_create) plan_create;
decltype(&ecc_loss_plan_evaluate) plan_evaluate;
decltype(&ecc_loss_plan_free) plan_free;

// ---- Plans, for each thread ---------------------------------------------------------------------

struct Settings {
    double mu;
    int64_t rule; // enum ecc_m_rule
    double given;
    bool distinct;

    auto all() const
    {
        return std::tie(mu, rule, given, distinct);
    }
};

// Memory for batches of up to n items.
struct Plan {
    Settings settings;
    int64_t n, d;
    int threads;
    ecc_loss_plan *handle = nullptr;

    Plan(const Settings &wanted, int64_t items, int64_t dim, int count)
        : settings(wanted), n(items), d(dim), threads(count)
    {
        const ecc_loss_options options = {
            settings.mu, static_cast<ecc_m_rule>(settings.rule), settings.given,
            settings.distinct ? ECC_PAIRS_DISTINCT : ECC_PAIRS_PUBLISHED, threads};
        if (plan_create(&handle, n, d, &options, nullptr) != ECC_OK) handle = nullptr;
    }
    ~Plan()
    {
        plan_free(handle);
    }
    Plan(const Plan &) = delete;
    Plan &operator=(const Plan &) = delete;
};

constexpr size_t plans_kept = 8;
thread_local std::vector<std::unique_ptr<Plan>> plans;

ecc_loss_plan *plan_for(const Settings &settings, int64_t n, int64_t d)
{
    const int threads = at::get_num_threads();
    for (auto place = plans.begin(); place != plans.end(); ++place) {
        const Plan &plan = **place;
        if (plan.d != d || plan.threads != threads || plan.settings.all() != settings.all())
            continue;
        if (plan.n >= n && plan.handle) return plan.handle;
        plans.erase(place);
        break;
    }
    if (plans.size() >= plans_kept) plans.erase(plans.begin());
    plans.push_back(std::make_unique<Plan>(settings, n, d, threads));
    return plans.back()->handle;
}

// ---- Value and gradient -------------------------------------------------------------------------

// What the C code refuses.  Python then goes the other way, which says why.
struct Refused {
};

// z: [n, d]; the gradient goes to dz, if there is one.
double evaluate(float *dz, const Tensor &z, const Settings &settings)
{
    ecc_loss_plan *const plan = plan_for(settings, z.size(0), z.size(1));
    if (!plan) throw Refused{};
    ecc_loss_value value;
    const float *const in = z.const_data_ptr<float>();
    PyThreadState *const python = PyEval_SaveThread();
    const ecc_status status = plan_evaluate(plan, &value, dz, in, z.size(0), nullptr);
    PyEval_RestoreThread(python);
    if (status != ECC_OK) throw Refused{};
    return value.loss;
}

// The gradient as the operator in _op.py finds it, which has derivatives of its own.
Tensor differentiable_gradient(const Tensor &z, const Settings &settings)
{
    using Operator = std::tuple<Tensor, Tensor>(const Tensor &, double, int64_t, double, bool);
    static const auto op =
        c10::Dispatcher::singleton().findSchemaOrThrow("eccentric::loss", "").typed<Operator>();
    return std::get<1>(op.call(z, settings.mu, settings.rule, settings.given, settings.distinct));
}

struct EccentricLossBackward : Node {
    Tensor dz; // until it is given away
    SavedVariable z;
    Settings settings;

    variable_list apply(variable_list &&inputs) override
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        const Tensor &dvalue = inputs[0];
        if (!dvalue.defined()) return {Tensor()};
        Tensor result = std::move(dz);
        // a second time through a graph, or create_graph=True
        if (!result.defined() || at::GradMode::is_enabled()) {
            return {differentiable_gradient(z.unpack(), settings).mul(dvalue)};
        }
        const float factor = *dvalue.const_data_ptr<float>();
        float *const out = result.mutable_data_ptr<float>();
        for (int64_t i = 0; i < result.numel(); i++) out[i] *= factor;
        return {std::move(result)};
    }

    void release_variables() override
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        dz.reset();
        z.reset_data();
    }

    std::string name() const override
    {
        return "EccentricLossBackward";
    }
};

Tensor loss_of(const Tensor &z, const Settings &settings)
{
    const at::AutoDispatchBelowADInplaceOrView below_autograd;
    const Tensor value = at::empty({}, z.options());
    float *const place = value.mutable_data_ptr<float>();
    if (!at::GradMode::is_enabled() || !z.requires_grad()) {
        *place = static_cast<float>(evaluate(nullptr, z, settings));
        return value;
    }
    const auto node = c10::make_intrusive<EccentricLossBackward>();
    node->dz = at::empty_like(z);
    *place = static_cast<float>(evaluate(node->dz.mutable_data_ptr<float>(), z, settings));
    node->z = SavedVariable(z, false);
    node->settings = settings;
    node->set_next_edges(torch::autograd::collect_next_edges(z));
    torch::autograd::set_history(value, node);
    return value;
}

// ---- Python -------------------------------------------------------------------------------------

// Whether nothing else has to see the call: no transform of torch.func, no mode, no tracing.
bool is_plain(const Tensor &z)
{
    const auto included = c10::impl::tls_local_dispatch_key_set().included_;
    return z.scalar_type() == at::kFloat && z.device().is_cpu() && z.layout() == at::kStrided &&
           z.dim() == 2 && z.size(0) >= 2 && z.size(1) >= 2 && z.is_contiguous() && !z.is_neg() &&
           !z.key_set().has(c10::DispatchKey::Python) && !z._fw_grad(0).defined() &&
           (included - c10::default_included_set).empty();
}

// loss(z, (mu, rule, given, distinct)) -> a tensor, or None for what goes the other way
PyObject *loss(PyObject *, PyObject *const *arguments, Py_ssize_t count)
{
    if (count != 2 || !THPVariable_Check(arguments[0]) || !PyTuple_Check(arguments[1]))
        Py_RETURN_NONE;
    const Tensor &z = THPVariable_Unpack(arguments[0]);
    if (!is_plain(z)) Py_RETURN_NONE;
    PyObject *const of = arguments[1];
    const Settings settings = {
        PyFloat_AsDouble(PyTuple_GET_ITEM(of, 0)), PyLong_AsLong(PyTuple_GET_ITEM(of, 1)),
        PyFloat_AsDouble(PyTuple_GET_ITEM(of, 2)), PyTuple_GET_ITEM(of, 3) == Py_True};
    try {
        return THPVariable_Wrap(loss_of(z, settings));
    } catch (const Refused &) {
        Py_RETURN_NONE;
    } catch (const std::exception &error) {
        PyErr_SetString(PyExc_RuntimeError, error.what());
        return nullptr;
    }
}

// use(create, evaluate, free): addresses
PyObject *use(PyObject *, PyObject *arguments)
{
    unsigned long long create, evaluation, release;
    if (!PyArg_ParseTuple(arguments, "KKK", &create, &evaluation, &release)) return nullptr;
    plan_create = reinterpret_cast<decltype(plan_create)>(create);
    plan_evaluate = reinterpret_cast<decltype(plan_evaluate)>(evaluation);
    plan_free = reinterpret_cast<decltype(plan_free)>(release);
    Py_RETURN_NONE;
}

PyMethodDef methods[] = {
    {"loss", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(loss)), METH_FASTCALL,
     nullptr},
    {"use", use, METH_VARARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};
PyModuleDef definition = {PyModuleDef_HEAD_INIT, "eccentric_native", nullptr, -1, methods};

} // namespace

PyMODINIT_FUNC PyInit_eccentric_native(void)
{
    return PyModule_Create(&definition);
}
