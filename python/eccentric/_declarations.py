"""The C API for ctypes, generated from include/*.h by tools/declare.py: do not edit."""

from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_bool,
    c_char,
    c_char_p,
    c_double,
    c_int,
    c_int32,
    c_size_t,
    c_uint64,
    c_void_p,
)

VERSION = "0.2.0"

ECC_OK = 0
ECC_BAD_ARGUMENT = 1
ECC_BAD_DATA = 2
ECC_NO_MEMORY = 3
ECC_IO = 4
ECC_NUMERIC = 5
ECC_INTERRUPTED = 6
ECC_PAIRS_PUBLISHED = 0
ECC_PAIRS_DISTINCT = 1
ECC_M_PAPER = 0
ECC_M_EXACT = 1
ECC_M_GIVEN = 2
ECC_WALK_MOST = 12
ECC_SAMPLE_GAUSSIAN = 0
ECC_SAMPLE_NORMAL = 1
ECC_SAMPLE_SPHERE = 2
ECC_SAMPLE_MIXTURE = 3
ECC_SAMPLE_TWO_STAGE = 4
ECC_DECIMAL_AUTO = 0
ECC_DECIMAL_POINT = 1
ECC_DECIMAL_COMMA = 2
ECC_SCALER_STANDARD = 0
ECC_SCALER_ROBUST = 1
ECC_COLUMN_NUMBER = 0
ECC_COLUMN_DATE = 1
ECC_COLUMN_CATEGORY = 2
ECC_COLUMN_LABEL = 3
ECC_COLUMN_TARGET = 4
ECC_COLUMN_LEFT_OUT = 5
ECC_WEIGHTS_FLOAT = 0
ECC_WEIGHTS_HALF = 1
ECC_WEIGHTS_BYTE = 2
ECC_WEIGHTS_AUTO = 3
ECC_SEEN_NONE = 0
ECC_SEEN_SOME = 1
ECC_SEEN_ALL = 2
ECC_SCHEDULE_CONSTANT = 0
ECC_SCHEDULE_COSINE = 1
ECC_SCHEDULE_FALL = 2
ECC_RECONSTRUCTION_MSE = 0
ECC_RECONSTRUCTION_BCE = 1
ECC_KEEP_LAST = 0
ECC_KEEP_BEST = 1
ECC_KEEP_REFIT = 2
ECC_KEEP_AUTO = 3
ECC_SETTING_TEXT = 0
ECC_SETTING_COUNT = 1
ECC_SETTING_U64 = 2
ECC_SETTING_NUMBER = 3
ECC_SETTING_FLAG = 4
ECC_SETTING_CHOICE = 5
ECC_CLASSIFY_KNN = 0
ECC_CLASSIFY_TREE = 1
ECC_CLASSIFY_MLP = 2
ECC_VIEW_LATENTS = 0
ECC_VIEW_PCA = 1
ECC_VIEW_PIXELS = 2
ECC_VIEWS = 3
ECC_STUMP_TELLS = 0
ECC_STUMP_TOO_FEW = 1
ECC_STUMP_SAME_ANSWER = 2
ECC_MEANING_NUMBER = 0
ECC_MEANING_DAYS = 1
ECC_MEANING_SHARE = 2
ECC_HISTORY_STEP = 0
ECC_HISTORY_LOSS = 1
ECC_HISTORY_FORCE = 2
ECC_HISTORY_RADIUS = 3
ECC_HISTORY = 4
ECC_SCORE_DATA = 0
ECC_SCORE_RUN = 1
ECC_SCORE_STATISTICS = 2
ECC_FEATURES_AUTO = 0
ECC_FEATURES_INCEPTION = 1
ECC_FEATURES_CLASSIFIER = 2
ECC_FEATURES_PIXELS = 3
ECC_FEATURES_PCA = 4
ECC_IDENTITY_SIZE = 160
ECC_BENCH_STEP = 0
ECC_BENCH_ENCODE = 1
ECC_BENCH_DECODE = 2
ECC_BENCH_LOSS = 3
ECC_BENCH_KINDS = 4
ECC_BENCH_THREADS = 0
ECC_BENCH_BATCH = 1
ECC_BENCH_LATENT = 2
ECC_BENCH_AXES = 3
ECC_BENCH_MOST_ROWS = 24
ECC_REPORT_MOST_GAPS = 5
ECC_SIZE_QUICK = 0
ECC_SIZE_MINUTES = 1
ECC_SIZE_PAPER = 2
ECC_ON_AUTO = 0
ECC_ON_MNIST = 1
ECC_ON_CELEBA = 2


class ecc_error(Structure):
    _fields_ = [
        ("status", c_int),
        ("text", c_char * 1000),
    ]


class ecc_work(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("unit", c_char_p),
        ("done", c_size_t),
        ("total", c_size_t),
        ("text", c_char_p),
    ]


class ecc_watch(Structure):
    _fields_ = [
        ("on_work", CFUNCTYPE(c_bool, c_void_p, c_void_p)),
        ("on_remark", CFUNCTYPE(None, c_void_p, c_char_p)),
        ("context", c_void_p),
    ]


class ecc_loss_options(Structure):
    _fields_ = [
        ("mu", c_double),
        ("m_rule", c_int),
        ("m", c_double),
        ("pairs", c_int),
        ("threads", c_int),
    ]


class ecc_loss_value(Structure):
    _fields_ = [
        ("loss", c_double),
        ("attraction", c_double),
        ("repulsion", c_double),
        ("m", c_double),
    ]


class ecc_regularizer_option(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("meaning", c_char_p),
        ("usual", c_double),
        ("low", c_double),
        ("high", c_double),
        ("words", c_void_p),
        ("whole", c_bool),
    ]


class ecc_regularizer_about(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("summary", c_char_p),
        ("options", c_void_p),
        ("no_lambda", c_bool),
        ("lambda", c_double),
    ]


class ecc_simulate_progress(Structure):
    _fields_ = [
        ("step", c_size_t),
        ("steps", c_size_t),
        ("loss", c_double),
        ("net_force", c_double),
        ("radius", c_double),
        ("at_rest", c_bool),
    ]


class ecc_simulate_options(Structure):
    _fields_ = [
        ("loss", ecc_loss_options),
        ("steps", c_size_t),
        ("tolerance", c_double),
        ("on_step", CFUNCTYPE(c_bool, c_void_p, c_void_p)),
        ("context", c_void_p),
    ]


class ecc_components(Structure):
    _fields_ = [
        ("d", c_size_t),
        ("count", c_size_t),
        ("mean", c_void_p),
        ("eigenvalues", c_void_p),
        ("deviations", c_void_p),
        ("axes", c_void_p),
        ("explained", c_void_p),
        ("of_data", c_void_p),
        ("skewness", c_void_p),
        ("trace", c_double),
        ("eccentricity", c_double),
        ("of_mean", c_double),
        ("effective_rank", c_double),
    ]


class ecc_walk_grid(Structure):
    _fields_ = [
        ("x", c_void_p),
        ("y", c_void_p),
        ("x_count", c_size_t),
        ("y_count", c_size_t),
        ("deviations", c_double),
    ]


class ecc_pca(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("d", c_size_t),
        ("mean", c_void_p),
        ("axes", c_void_p),
        ("eigenvalues", c_void_p),
    ]


class ecc_mixture(Structure):
    _fields_ = [
        ("k", c_size_t),
        ("d", c_size_t),
        ("weights", c_void_p),
        ("means", c_void_p),
        ("factors", c_void_p),
        ("log_likelihood", c_double),
        ("bic", c_double),
        ("iterations", c_size_t),
        ("converged", c_bool),
    ]


class ecc_mixture_options(Structure):
    _fields_ = [
        ("k", c_size_t),
        ("k_max", c_size_t),
        ("starts", c_size_t),
        ("rounds", c_size_t),
        ("tolerance", c_double),
        ("floor", c_double),
        ("items", c_size_t),
        ("seed", c_uint64),
        ("on_round", CFUNCTYPE(c_bool, c_void_p, c_size_t, c_size_t, c_double)),
        ("context", c_void_p),
    ]


class ecc_sampler(Structure):
    _fields_ = [
        ("from", c_int),
        ("d", c_size_t),
        ("components", c_void_p),
        ("mixture", c_void_p),
        ("list", c_void_p),
        ("list_count", c_size_t),
        ("truncation", c_double),
        ("radius", c_double),
        ("seed", c_uint64),
        ("draw", CFUNCTYPE(c_int, c_void_p, c_void_p, c_uint64, c_uint64, c_size_t, c_void_p)),
        ("context", c_void_p),
    ]


class ecc_alignment(Structure):
    _fields_ = [
        ("d", c_size_t),
        ("partner", c_void_p),
        ("sign", c_void_p),
        ("correlation", c_void_p),
        ("share", c_void_p),
        ("before", c_void_p),
        ("after", c_void_p),
        ("angle_raw", c_double),
        ("angle_aligned", c_double),
        ("angle_procrustes", c_double),
        ("cka", c_double),
    ]


class ecc_tree_node(Structure):
    _fields_ = [
        ("left", c_size_t),
        ("right", c_size_t),
        ("feature", c_size_t),
        ("threshold", c_double),
        ("gain", c_double),
        ("label", c_int32),
        ("value", c_double),
        ("count", c_size_t),
    ]


class ecc_tree(Structure):
    _fields_ = [
        ("nodes", c_void_p),
        ("node_count", c_size_t),
        ("depth", c_size_t),
        ("d", c_size_t),
    ]


class ecc_agreement(Structure):
    _fields_ = [
        ("error", c_double),
        ("balanced", c_double),
        ("f1", c_double),
    ]


class ecc_fit(Structure):
    _fields_ = [
        ("r2", c_double),
        ("mae", c_double),
        ("rmse", c_double),
    ]


class ecc_array_data(Structure):
    _fields_ = [
        ("x", c_void_p),
        ("n", c_size_t),
        ("channels", c_size_t),
        ("height", c_size_t),
        ("width", c_size_t),
        ("is_table", c_bool),
        ("labels", c_void_p),
        ("classes", c_size_t),
        ("class_names", c_void_p),
        ("numbers", c_void_p),
        ("number_count", c_size_t),
        ("number_names", c_void_p),
        ("column_names", c_void_p),
        ("cells", c_void_p),
        ("name", c_char_p),
    ]


class ecc_data_info(Structure):
    _fields_ = [
        ("items", c_size_t),
        ("channels", c_size_t),
        ("height", c_size_t),
        ("width", c_size_t),
        ("is_table", c_bool),
        ("class_count", c_size_t),
        ("attribute_count", c_size_t),
        ("class_counts", c_void_p),
        ("low", c_double),
        ("high", c_double),
        ("mean", c_double),
        ("looked_at", c_size_t),
        ("blank", c_size_t),
        ("remarks", c_char_p),
    ]


class ecc_column(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("kind", c_int),
        ("reason", c_char_p),
        ("first", c_size_t),
        ("features", c_size_t),
        ("decimals", c_int),
        ("mean", c_double),
        ("deviation", c_double),
        ("low", c_double),
        ("high", c_double),
        ("gaps", c_size_t),
        ("distinct", c_size_t),
        ("levels", c_void_p),
        ("shares", c_void_p),
        ("level_count", c_size_t),
        ("clip", c_double),
        ("date_order", c_char),
    ]


class ecc_schema(Structure):
    _fields_ = [
        ("columns", c_void_p),
        ("count", c_size_t),
        ("features", c_size_t),
    ]


class ecc_model_options(Structure):
    _fields_ = [
        ("batch", c_size_t),
        ("threads", c_int),
    ]


class ecc_model_info(Structure):
    _fields_ = [
        ("latent", c_size_t),
        ("channels", c_size_t),
        ("height", c_size_t),
        ("width", c_size_t),
        ("size", c_size_t),
        ("finished", c_bool),
        ("training", c_bool),
        ("step", c_uint64),
        ("steps", c_uint64),
        ("data", c_char_p),
        ("columns", c_size_t),
        ("mean", c_void_p),
        ("deviation", c_void_p),
        ("clip", c_double),
        ("column_names", c_void_p),
    ]


class ecc_onnx_options(Structure):
    _fields_ = [
        ("keep_norms", c_bool),
    ]


class ecc_measures(Structure):
    _fields_ = [
        ("z", c_void_p),
        ("p", c_void_p),
        ("error", c_void_p),
        ("t2", c_void_p),
        ("q", c_void_p),
    ]


class ecc_limits(Structure):
    _fields_ = [
        ("t2", c_double * 2),
        ("q", c_double * 2),
        ("t2_above", c_double * 2),
        ("items", c_size_t),
    ]


class ecc_seen(Structure):
    _fields_ = [
        ("answer", c_int),
        ("items", c_size_t),
        ("trained", c_size_t),
        ("validation", c_size_t),
        ("twins", c_size_t),
        ("by_name", c_bool),
        ("changed", c_bool),
    ]


class ecc_train_options(Structure):
    _fields_ = [
        ("data", c_char_p),
        ("items", c_size_t),
        ("crop", c_size_t),
        ("size", c_size_t),
        ("label", c_char_p),
        ("columns", c_char_p),
        ("drop", c_char_p),
        ("decimal", c_int),
        ("scaler", c_int),
        ("labels", c_char_p),
        ("metadata", c_char_p),
        ("strict", c_bool),
        ("data_seed", c_uint64),
        ("validation", c_size_t),
        ("keep", c_int),
        ("patience", c_double),
        ("net", c_char_p),
        ("width", c_double),
        ("direct", c_bool),
        ("latent", c_size_t),
        ("reconstruction", c_int),
        ("binarize", c_bool),
        ("regularizer", c_char_p),
        ("lambda", c_double),
        ("mu", c_double),
        ("m_rule", c_int),
        ("m", c_double),
        ("pairs", c_int),
        ("target_eccentricity", c_double),
        ("target_loss", c_double),
        ("batch", c_size_t),
        ("rate", c_double),
        ("final_rate", c_double),
        ("decay", c_double),
        ("beta1", c_double),
        ("beta2", c_double),
        ("epsilon", c_double),
        ("schedule", c_int),
        ("fall", c_double),
        ("warmup", c_uint64),
        ("average", c_double),
        ("epochs", c_double),
        ("minutes", c_double),
        ("total_steps", c_uint64),
        ("sync_norm", c_bool),
        ("seed", c_uint64),
        ("threads", c_size_t),
        ("tensorboard", c_bool),
        ("checkpoint_seconds", c_double),
    ]


class ecc_train_setting(Structure):
    _fields_ = [
        ("key", c_char_p),
        ("flag", c_char_p),
        ("value", c_char_p),
        ("meaning", c_char_p),
        ("kind", c_int),
        ("later", c_bool),
        ("may_be_nan", c_bool),
        ("above_low", c_bool),
        ("path", c_bool),
        ("quiet", c_bool),
        ("offset", c_size_t),
        ("low", c_double),
        ("high", c_double),
        ("choices", c_void_p),
    ]


class ecc_train_progress(Structure):
    _fields_ = [
        ("step", c_uint64),
        ("total", c_uint64),
        ("epoch", c_double),
        ("seconds", c_double),
        ("epoch_ended", c_bool),
        ("ended", c_bool),
        ("error", c_double),
        ("regularizer", c_double),
        ("lambda", c_double),
        ("rate", c_double),
        ("eccentricity", c_double),
        ("trace", c_double),
        ("latent", c_size_t),
        ("channels", c_size_t),
        ("height", c_size_t),
        ("width", c_size_t),
        ("trainer", c_void_p),
    ]


class ecc_train_job(Structure):
    _fields_ = [
        ("out", c_char_p),
        ("overwrite", c_bool),
        ("on_step", CFUNCTYPE(c_bool, c_void_p, c_void_p)),
        ("keep_stopped", c_bool),
        ("on_remark", CFUNCTYPE(None, c_void_p, c_char_p)),
        ("context", c_void_p),
        ("take_turns", c_bool),
        ("team", c_void_p),
    ]


class ecc_train_comparison(Structure):
    _fields_ = [
        ("items_are", c_char_p),
        ("items", c_size_t),
        ("error", c_double),
        ("pca_error", c_double),
        ("variance", c_double),
    ]


class ecc_train_result(Structure):
    _fields_ = [
        ("steps", c_uint64),
        ("epochs", c_double),
        ("seconds", c_double),
        ("items_per_second", c_double),
        ("items", c_size_t),
        ("validation_items", c_size_t),
        ("error", c_double),
        ("validation_error", c_double),
        ("loss", c_double),
        ("lambda", c_double),
        ("target", c_double),
        ("reached", c_double),
        ("target_met", c_bool),
        ("best_step", c_uint64),
        ("refit", c_bool),
        ("started_from_pca", c_bool),
        ("unseen", ecc_train_comparison),
        ("remark", c_char * 300),
        ("components", ecc_components),
        ("model", c_void_p),
    ]


class ecc_train_estimate(Structure):
    _fields_ = [
        ("batch", c_size_t),
        ("threads", c_size_t),
        ("steps", c_uint64),
        ("epochs", c_double),
        ("seconds", c_double),
    ]


class ecc_classify_options(Structure):
    _fields_ = [
        ("method", c_int),
        ("train", c_char_p),
        ("test", c_char_p),
        ("items", c_size_t),
        ("validation", c_bool),
        ("labels", c_void_p),
        ("label_count", c_size_t),
        ("repeats", c_size_t),
        ("uniform", c_bool),
        ("neighbours", c_size_t),
        ("depths", c_void_p),
        ("depth_count", c_size_t),
        ("epochs", c_size_t),
        ("target", c_char_p),
        ("baselines", c_bool),
        ("stumps", c_bool),
        ("seed", c_uint64),
    ]


class ecc_classify_view(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("d", c_size_t),
        ("items", c_size_t),
        ("test_items", c_size_t),
        ("target_errors", c_void_p),
    ]


class ecc_classify_row(Structure):
    _fields_ = [
        ("labels", c_size_t),
        ("repeats", c_size_t),
        ("parameter", c_size_t),
        ("majority", c_double),
        ("error", c_double * 3),
        ("deviation", c_double * 3),
        ("errors", c_void_p * 3),
        ("majority_balanced", c_double),
        ("majority_f1", c_double),
        ("balanced", c_double * 3),
        ("balanced_deviation", c_double * 3),
        ("f1", c_double * 3),
        ("f1_deviation", c_double * 3),
    ]


class ecc_confused_pair(Structure):
    _fields_ = [
        ("truth", c_size_t),
        ("taken_for", c_size_t),
        ("items", c_size_t),
        ("of", c_size_t),
    ]


class ecc_stump(Structure):
    _fields_ = [
        ("component", c_size_t),
        ("threshold", c_double),
        ("gain", c_double),
        ("below", c_double),
        ("above", c_double),
        ("majority", c_double),
        ("accuracy", c_double),
        ("having", c_size_t),
        ("lacking", c_size_t),
        ("test_having", c_size_t),
        ("test_lacking", c_size_t),
        ("verdict", c_int),
    ]


class ecc_number_row(Structure):
    _fields_ = [
        ("method", c_int),
        ("parameter", c_size_t),
        ("fit", ecc_fit * 3),
        ("items", c_size_t * 3),
    ]


class ecc_number_result(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("items", c_size_t),
        ("test_items", c_size_t),
        ("mean", c_double),
        ("deviation", c_double),
        ("baseline", ecc_fit),
        ("rows", c_void_p),
        ("row_count", c_size_t),
        ("truth", c_void_p),
        ("predicted", c_void_p),
    ]


class ecc_classification(Structure):
    _fields_ = [
        ("method", c_int),
        ("validation", c_bool),
        ("attributes", c_bool),
        ("items", c_size_t),
        ("test_items", c_size_t),
        ("seen", ecc_seen),
        ("latent", c_size_t),
        ("target_count", c_size_t),
        ("name_count", c_size_t),
        ("names", c_void_p),
        ("views", ecc_classify_view * 3),
        ("view_count", c_size_t),
        ("rows", c_void_p),
        ("row_count", c_size_t),
        ("target_majority", c_void_p),
        ("predicted", c_void_p),
        ("confusion", c_void_p),
        ("pairs", c_void_p),
        ("pair_count", c_size_t),
        ("numbers", c_void_p),
        ("number_count", c_size_t),
        ("stumps", c_void_p),
        ("ranking", c_void_p),
        ("gains", c_void_p),
        ("seconds", c_double),
    ]


class ecc_align_options(Structure):
    _fields_ = [
        ("data", c_char_p),
        ("test", c_char_p),
        ("items", c_size_t),
    ]


class ecc_run_pair(Structure):
    _fields_ = [
        ("a", c_size_t),
        ("b", c_size_t),
        ("alignment", ecc_alignment),
        ("verdict", c_char_p),
    ]


class ecc_spread(Structure):
    _fields_ = [
        ("mean", c_double),
        ("deviation", c_double),
    ]


class ecc_runs_alignment(Structure):
    _fields_ = [
        ("run_count", c_size_t),
        ("latent", c_size_t),
        ("items", c_size_t),
        ("test_items", c_size_t),
        ("seen", ecc_seen),
        ("pairs", c_void_p),
        ("pair_count", c_size_t),
        ("raw", ecc_spread),
        ("aligned", ecc_spread),
        ("procrustes", ecc_spread),
        ("cka", ecc_spread),
        ("verdict", c_char_p),
        ("stability", c_void_p),
        ("least", c_void_p),
        ("eccentricity", c_void_p),
        ("seconds", c_double),
    ]


class ecc_likelihood_options(Structure):
    _fields_ = [
        ("data", c_char_p),
        ("items", c_size_t),
        ("samples", c_size_t),
        ("seed", c_uint64),
        ("threads", c_size_t),
    ]


class ecc_likelihood(Structure):
    _fields_ = [
        ("items", c_size_t),
        ("samples", c_size_t),
        ("seen", ecc_seen),
        ("binarized", c_bool),
        ("log_likelihood", c_double),
        ("deviation", c_double),
        ("reconstruction", c_double),
        ("divergence", c_double),
        ("bound", c_double),
        ("each", c_void_p),
        ("seconds", c_double),
    ]


class ecc_stability_options(Structure):
    _fields_ = [
        ("runs", c_size_t),
        ("threads", c_size_t),
        ("data", c_char_p),
    ]


class ecc_dims_row(Structure):
    _fields_ = [
        ("latent", c_size_t),
        ("error", c_double),
        ("pca_error", c_double),
        ("variance", c_double),
        ("steps", c_uint64),
        ("seconds", c_double),
    ]


class ecc_dims(Structure):
    _fields_ = [
        ("rows", c_void_p),
        ("count", c_size_t),
        ("items_are", c_char_p),
        ("items", c_size_t),
        ("recommended", c_size_t),
    ]


class ecc_meaning_column(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("unit", c_int),
        ("deviation", c_double),
    ]


class ecc_meaning(Structure):
    _fields_ = [
        ("count", c_size_t),
        ("column_count", c_size_t),
        ("components", c_void_p),
        ("deviations", c_double),
        ("columns", c_void_p),
        ("change", c_void_p),
        ("standard", c_void_p),
        ("ranking", c_void_p),
    ]


class ecc_meaning_options(Structure):
    _fields_ = [
        ("list", c_void_p),
        ("list_count", c_size_t),
        ("deviations", c_double),
    ]


class ecc_simulation_options(Structure):
    _fields_ = [
        ("loss", ecc_loss_options),
        ("regularizer", c_char_p),
        ("starts", c_size_t),
        ("points", c_size_t),
        ("dim", c_size_t),
        ("start", c_void_p),
        ("uniform", c_bool),
        ("steps", c_size_t),
        ("tolerance", c_double),
        ("seed", c_uint64),
    ]


class ecc_simulation(Structure):
    _fields_ = [
        ("n", c_size_t),
        ("d", c_size_t),
        ("mu", c_double),
        ("m", c_double),
        ("start", c_void_p),
        ("points", c_void_p),
        ("steps", c_size_t),
        ("at_rest", c_bool),
        ("interrupted", c_bool),
        ("history", c_void_p * 4),
        ("seed", c_uint64),
        ("loss_start", c_double),
        ("loss", c_double),
        ("energy", c_double),
        ("loss_sphere", c_double),
        ("loss_paper", c_double),
        ("radius_start", ecc_spread),
        ("radius", ecc_spread),
        ("radius_theory", c_double),
        ("escape_gain", c_double),
        ("escape_radius", c_double),
        ("mean", c_void_p),
        ("eigenvalues", c_void_p),
        ("axes", c_void_p),
        ("trace", c_double),
        ("eccentricity", c_double),
        ("effective_rank", c_double),
        ("trapped", c_size_t),
        ("nearest", ecc_spread),
        ("nearest_least", c_double),
        ("seconds", c_double),
    ]


class ecc_score_operand(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("model", c_void_p),
    ]


class ecc_score_options(Structure):
    _fields_ = [
        ("features", c_int),
        ("weights", c_char_p),
        ("train", c_char_p),
        ("train_items", c_size_t),
        ("items", c_size_t),
        ("crop", c_size_t),
        ("size", c_size_t),
        ("run_data", c_char_p),
        ("count", c_size_t),
        ("from", c_int),
        ("gaussians", c_size_t),
        ("components", c_bool),
        ("kid", c_bool),
        ("save", c_char_p),
        ("seed", c_uint64),
        ("threads", c_int),
        ("team", c_void_p),
    ]


class ecc_frechet(Structure):
    _fields_ = [
        ("distance", c_double),
        ("mean", c_double),
        ("spread", c_double),
    ]


class ecc_kid(Structure):
    _fields_ = [
        ("value", c_double),
        ("deviation", c_double),
        ("error", c_double),
        ("subsets", c_size_t),
        ("subset", c_size_t),
    ]


class ecc_score(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("kind", c_int),
        ("items", c_size_t),
        ("frechet", ecc_frechet),
        ("has_kid", c_bool),
        ("kid", ecc_kid),
        ("warning", c_char * 160),
        ("seen", ecc_seen),
        ("regularizer", c_char * 32),
        ("latent", c_size_t),
        ("lambda", c_double),
        ("eccentricity", c_double),
        ("trace", c_double),
    ]


class ecc_score_table(Structure):
    _fields_ = [
        ("scores", c_void_p),
        ("count", c_size_t),
        ("reference", c_char_p),
        ("reference_kind", c_int),
        ("reference_items", c_size_t),
        ("identity", c_char * 160),
        ("feature_count", c_size_t),
        ("accuracy", c_double),
        ("from", c_int),
    ]


class ecc_feature_rows(Structure):
    _fields_ = [
        ("rows", c_void_p),
        ("count", c_size_t),
        ("size", c_size_t),
    ]


class ecc_statistics(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("count", c_size_t),
        ("mean", c_void_p),
        ("covariance", c_void_p),
        ("identity", c_char * 160),
        ("pca", ecc_pca),
    ]


class ecc_bench_options(Structure):
    _fields_ = [
        ("train", ecc_train_options),
        ("points", c_size_t),
        ("seconds", c_double),
        ("quick", c_bool),
    ]


class ecc_bench_row(Structure):
    _fields_ = [
        ("threads", c_size_t),
        ("batch", c_size_t),
        ("latent", c_size_t),
        ("seconds", c_double),
        ("flops", c_double),
        ("bytes", c_size_t),
        ("peak_gflops", c_double),
    ]


class ecc_bench_result(Structure):
    _fields_ = [
        ("what", c_int),
        ("net", c_char_p),
        ("data", c_char_p),
        ("main", ecc_bench_row),
        ("rows", ecc_bench_row * 24 * 3),
        ("counts", c_size_t * 3),
    ]


class ecc_plane(Structure):
    _fields_ = [
        ("x", c_void_p),
        ("y", c_void_p),
        ("category", c_void_p),
        ("n", c_size_t),
        ("category_names", c_void_p),
        ("category_count", c_size_t),
        ("x_label", c_char_p),
        ("y_label", c_char_p),
        ("title", c_char_p),
        ("caption", c_char_p),
        ("circle_x", c_double),
        ("circle_y", c_double),
        ("circle", c_double),
        ("meaning", c_void_p),
        ("arrows", c_size_t),
    ]


class ecc_report_options(Structure):
    _fields_ = [
        ("data", c_char_p),
        ("test", c_char_p),
        ("items", c_size_t),
        ("no_baselines", c_bool),
        ("seed", c_uint64),
    ]


class ecc_report_gap(Structure):
    _fields_ = [
        ("what", c_char_p),
        ("why", ecc_error),
    ]


class ecc_report_result(Structure):
    _fields_ = [
        ("bytes", c_size_t),
        ("has_items", c_bool),
        ("seen", ecc_seen),
        ("error", c_double),
        ("kept", c_double),
        ("gaps", ecc_report_gap * 5),
        ("gap_count", c_size_t),
    ]


class ecc_latents_request(Structure):
    _fields_ = [
        ("latents", c_char_p),
        ("images", c_char_p),
        ("metadata", c_char_p),
        ("items", c_size_t),
        ("pixels", c_size_t),
    ]


class ecc_space_request(Structure):
    _fields_ = [
        ("runs", c_void_p),
        ("run_count", c_size_t),
        ("elsewhere", ecc_latents_request),
        ("data", c_char_p),
        ("items", c_size_t),
        ("spread", c_bool),
        ("pixels", c_size_t),
        ("threads", c_int),
        ("alone", c_bool),
    ]


class ecc_server_options(Structure):
    _fields_ = [
        ("address", c_char_p),
        ("port", c_size_t),
        ("patience", c_double),
        ("rate", c_double),
        ("framed", c_bool),
    ]


class ecc_page_error(Structure):
    _fields_ = [
        ("items", c_size_t),
        ("most", c_double),
        ("typical", c_double),
        ("placed", c_double),
    ]


class ecc_one_file_sizes(Structure):
    _fields_ = [
        ("all", c_size_t),
        ("page", c_size_t),
        ("nets", c_size_t),
        ("items", c_size_t),
        ("answers", c_size_t),
        ("packed", c_double),
        ("weights", c_int),
        ("spared", c_size_t),
        ("error", ecc_page_error),
    ]


class ecc_compare_options(Structure):
    _fields_ = [
        ("out", c_char_p),
        ("methods", c_char_p),
        ("latents", c_void_p),
        ("latent_count", c_size_t),
        ("train", ecc_train_options),
        ("minutes", c_double),
        ("epochs", c_double),
        ("seeds", c_size_t),
        ("lambdas", c_size_t),
        ("plan_only", c_bool),
        ("report_only", c_bool),
        ("watch", c_void_p),
    ]


class ecc_repro_options(Structure):
    _fields_ = [
        ("out", c_char_p),
        ("data", c_char_p),
        ("items", c_void_p),
        ("item_count", c_size_t),
        ("size", c_int),
        ("on", c_int),
        ("minutes", c_double),
        ("runs", c_size_t),
        ("plan_only", c_bool),
        ("measure_only", c_bool),
        ("report_only", c_bool),
        ("watch", c_void_p),
    ]


# name: result, parameters
FUNCTIONS = {
    "ecc_version": (c_char_p, []),
    "ecc_loss_defaults": (ecc_loss_options, []),
    "ecc_loss": (
        c_int,
        [
            POINTER(ecc_loss_value),
            c_void_p,
            c_void_p,
            c_size_t,
            c_size_t,
            POINTER(ecc_loss_options),
            POINTER(ecc_error),
        ],
    ),
    "ecc_loss_plan_create": (c_int, [c_void_p, c_size_t, c_size_t, POINTER(ecc_loss_options), POINTER(ecc_error)]),
    "ecc_loss_plan_evaluate": (
        c_int,
        [
            c_void_p,
            POINTER(ecc_loss_value),
            c_void_p,
            c_void_p,
            c_size_t,
            POINTER(ecc_error),
        ],
    ),
    "ecc_loss_plan_bytes": (c_size_t, [c_void_p]),
    "ecc_loss_plan_free": (None, [c_void_p]),
    "ecc_regularizer_describe": (c_bool, [POINTER(ecc_regularizer_about), c_size_t]),
    "ecc_theory_m_paper": (c_double, [c_size_t, c_double]),
    "ecc_theory_m": (c_int, [c_void_p, c_size_t, c_double, c_int, c_double, POINTER(ecc_error)]),
    "ecc_theory_m_for_radius": (c_int, [c_void_p, c_size_t, c_double, c_double, POINTER(ecc_error)]),
    "ecc_theory_radius": (c_int, [c_void_p, c_size_t, c_double, c_double, POINTER(ecc_error)]),
    "ecc_theory_sphere_loss": (c_int, [c_void_p, c_size_t, c_double, c_double, c_double, POINTER(ecc_error)]),
    "ecc_theory_escape": (c_int, [c_void_p, c_void_p, c_size_t, c_double, c_double, POINTER(ecc_error)]),
    "ecc_theory_force": (c_double, [c_double, c_double, c_double]),
    "ecc_theory_accuracy": (c_int, [c_void_p, c_void_p, c_size_t, c_double, POINTER(ecc_error)]),
    "ecc_simulate_defaults": (ecc_simulate_options, []),
    "ecc_simulate": (
        c_int,
        [
            c_void_p,
            c_void_p,
            c_size_t,
            c_size_t,
            POINTER(ecc_simulate_options),
            POINTER(ecc_error),
        ],
    ),
    "ecc_components_fit": (c_int, [POINTER(ecc_components), c_void_p, c_size_t, c_size_t, POINTER(ecc_error)]),
    "ecc_components_release": (None, [POINTER(ecc_components)]),
    "ecc_components_project": (c_int, [POINTER(ecc_components), c_void_p, c_void_p, c_size_t, POINTER(ecc_error)]),
    "ecc_components_restore": (c_int, [POINTER(ecc_components), c_void_p, c_void_p, c_size_t, POINTER(ecc_error)]),
    "ecc_walk_grid": (c_int, [POINTER(ecc_components), c_void_p, POINTER(ecc_walk_grid), POINTER(ecc_error)]),
    "ecc_pca_fit": (c_int, [POINTER(ecc_pca), c_void_p, c_size_t, c_size_t, c_size_t, POINTER(ecc_error)]),
    "ecc_pca_release": (None, [POINTER(ecc_pca)]),
    "ecc_pca_project": (None, [POINTER(ecc_pca), c_void_p, c_void_p, c_size_t]),
    "ecc_pca_restore": (None, [POINTER(ecc_pca), c_void_p, c_void_p, c_size_t]),
    "ecc_mixture_defaults": (ecc_mixture_options, []),
    "ecc_mixture_fit": (
        c_int,
        [
            POINTER(ecc_mixture),
            c_void_p,
            c_size_t,
            c_size_t,
            POINTER(ecc_mixture_options),
            POINTER(ecc_error),
        ],
    ),
    "ecc_mixture_release": (None, [POINTER(ecc_mixture)]),
    "ecc_mixture_score": (c_int, [POINTER(ecc_mixture), c_void_p, c_void_p, c_size_t, POINTER(ecc_error)]),
    "ecc_sampler_draw": (c_int, [POINTER(ecc_sampler), c_void_p, c_uint64, c_size_t, POINTER(ecc_error)]),
    "ecc_interpolate": (None, [c_void_p, c_void_p, c_void_p, c_void_p, c_size_t, c_double, c_bool]),
    "ecc_align": (
        c_int,
        [
            POINTER(ecc_alignment),
            c_void_p,
            c_void_p,
            c_size_t,
            c_void_p,
            c_void_p,
            c_size_t,
            c_size_t,
            POINTER(ecc_error),
        ],
    ),
    "ecc_alignment_release": (None, [POINTER(ecc_alignment)]),
    "ecc_mean_angle": (c_double, [c_void_p, c_void_p, c_size_t, c_size_t]),
    "ecc_assignment": (c_int, [c_void_p, c_void_p, c_void_p, c_size_t, c_size_t, c_bool, POINTER(ecc_error)]),
    "ecc_neighbours": (
        c_int,
        [
            c_void_p,
            c_void_p,
            c_void_p,
            c_size_t,
            c_void_p,
            c_size_t,
            c_size_t,
            c_size_t,
            POINTER(ecc_error),
        ],
    ),
    "ecc_knn_classify": (
        c_int,
        [
            c_void_p,
            c_void_p,
            c_size_t,
            c_void_p,
            c_void_p,
            c_size_t,
            c_size_t,
            c_size_t,
            c_size_t,
            POINTER(ecc_error),
        ],
    ),
    "ecc_tree_fit": (
        c_int,
        [
            POINTER(ecc_tree),
            c_void_p,
            c_void_p,
            c_size_t,
            c_size_t,
            c_size_t,
            c_size_t,
            POINTER(ecc_error),
        ],
    ),
    "ecc_tree_release": (None, [POINTER(ecc_tree)]),
    "ecc_tree_predict": (None, [POINTER(ecc_tree), c_void_p, c_void_p, c_size_t]),
    "ecc_agreement_of": (c_int, [POINTER(ecc_agreement), c_void_p, c_void_p, c_size_t, c_size_t, POINTER(ecc_error)]),
    "ecc_fit_of": (ecc_fit, [c_void_p, c_void_p, c_size_t]),
    "ecc_data_lend": (c_int, [c_char_p, POINTER(ecc_array_data), POINTER(ecc_error)]),
    "ecc_data_return": (None, [c_char_p]),
    "ecc_data_describe": (c_int, [POINTER(ecc_data_info), c_char_p, c_size_t, POINTER(ecc_error)]),
    "ecc_data_info_release": (None, [POINTER(ecc_data_info)]),
    "ecc_schema_value": (c_double, [POINTER(ecc_column), c_void_p]),
    "ecc_schema_cell": (c_char_p, [c_char_p, c_size_t, POINTER(ecc_column), c_void_p]),
    "ecc_model_open": (c_int, [c_void_p, c_char_p, POINTER(ecc_model_options), POINTER(ecc_error)]),
    "ecc_model_close": (None, [c_void_p]),
    "ecc_model_save_bytes": (c_int, [c_void_p, c_void_p, c_void_p, POINTER(ecc_error)]),
    "ecc_model_open_bytes": (c_int, [c_void_p, c_void_p, c_size_t, POINTER(ecc_model_options), POINTER(ecc_error)]),
    "ecc_model_save": (c_int, [c_void_p, c_char_p, POINTER(ecc_error)]),
    "ecc_model_copy": (c_int, [c_void_p, c_void_p, POINTER(ecc_model_options), POINTER(ecc_error)]),
    "ecc_model_describe": (ecc_model_info, [c_void_p]),
    "ecc_model_schema": (c_void_p, [c_void_p]),
    "ecc_model_encode": (c_int, [c_void_p, c_void_p, c_void_p, c_size_t, POINTER(ecc_error)]),
    "ecc_model_decode": (c_int, [c_void_p, c_void_p, c_void_p, c_size_t, POINTER(ecc_error)]),
    "ecc_model_components": (
        c_int,
        [
            c_void_p,
            POINTER(ecc_components),
            c_char_p,
            POINTER(ecc_watch),
            POINTER(ecc_error),
        ],
    ),
    "ecc_model_explained": (
        c_int,
        [
            c_void_p,
            POINTER(ecc_components),
            c_char_p,
            POINTER(ecc_watch),
            POINTER(ecc_error),
        ],
    ),
    "ecc_model_mixture": (
        c_int,
        [
            c_void_p,
            POINTER(ecc_mixture),
            c_char_p,
            POINTER(ecc_mixture_options),
            POINTER(ecc_watch),
            POINTER(ecc_error),
        ],
    ),
    "ecc_model_latents": (
        c_int,
        [
            c_void_p,
            c_void_p,
            c_void_p,
            c_void_p,
            c_char_p,
            c_size_t,
            POINTER(ecc_watch),
            POINTER(ecc_error),
        ],
    ),
    "ecc_model_encoder_is_exportable": (c_bool, [c_void_p]),
    "ecc_model_export_onnx": (
        c_int,
        [
            c_void_p,
            POINTER(ecc_components),
            c_char_p,
            POINTER(ecc_onnx_options),
            POINTER(ecc_error),
        ],
    ),
    "ecc_model_impute": (c_int, [c_void_p, c_void_p, c_char_p, c_char_p, POINTER(ecc_watch), POINTER(ecc_error)]),
    "ecc_model_measure": (c_int, [c_void_p, POINTER(ecc_measures), c_void_p, c_size_t, POINTER(ecc_error)]),
    "ecc_model_limits": (c_int, [c_void_p, POINTER(ecc_limits), c_char_p, POINTER(ecc_watch), POINTER(ecc_error)]),
    "ecc_limits_excess": (c_double, [POINTER(ecc_limits), c_double, c_double]),
    "ecc_model_seen": (c_int, [c_void_p, POINTER(ecc_seen), c_char_p, c_size_t, POINTER(ecc_error)]),
    "ecc_train_defaults": (ecc_train_options, []),
    "ecc_train_preset_paper": (None, [POINTER(ecc_train_options)]),
    "ecc_train_method": (c_int, [POINTER(ecc_train_options), c_char_p, POINTER(ecc_error)]),
    "ecc_train_settings": (c_void_p, [c_void_p]),
    "ecc_team_join": (c_int, [c_void_p, POINTER(ecc_error)]),
    "ecc_team_rank": (c_int, [c_void_p]),
    "ecc_team_size": (c_int, [c_void_p]),
    "ecc_team_watch": (c_int, [c_void_p, POINTER(ecc_watch), POINTER(ecc_error)]),
    "ecc_team_use": (None, [c_void_p, c_void_p]),
    "ecc_team_leave": (None, [c_void_p]),
    "ecc_team_abort": (None, [c_void_p]),
    "ecc_train": (
        c_int,
        [
            POINTER(ecc_train_result),
            POINTER(ecc_train_options),
            POINTER(ecc_train_job),
            POINTER(ecc_error),
        ],
    ),
    "ecc_train_resume": (c_int, [POINTER(ecc_train_result), c_double, POINTER(ecc_train_job), POINTER(ecc_error)]),
    "ecc_train_result_release": (None, [POINTER(ecc_train_result)]),
    "ecc_train_adopt": (c_int, [c_void_p, POINTER(ecc_train_options), c_void_p, c_size_t, POINTER(ecc_error)]),
    "ecc_train_examples": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, POINTER(ecc_error)]),
    "ecc_train_estimate": (c_int, [POINTER(ecc_train_estimate), POINTER(ecc_train_options), POINTER(ecc_error)]),
    "ecc_train_describe": (c_int, [c_void_p, POINTER(ecc_train_options), POINTER(ecc_error)]),
    "ecc_classify_defaults": (ecc_classify_options, []),
    "ecc_classify": (
        c_int,
        [
            POINTER(ecc_classification),
            c_void_p,
            POINTER(ecc_classify_options),
            POINTER(ecc_watch),
            POINTER(ecc_error),
        ],
    ),
    "ecc_classification_release": (None, [POINTER(ecc_classification)]),
    "ecc_align_runs": (
        c_int,
        [
            POINTER(ecc_runs_alignment),
            c_void_p,
            c_size_t,
            POINTER(ecc_align_options),
            POINTER(ecc_watch),
            POINTER(ecc_error),
        ],
    ),
    "ecc_runs_alignment_release": (None, [POINTER(ecc_runs_alignment)]),
    "ecc_likelihood_measure": (
        c_int,
        [
            POINTER(ecc_likelihood),
            c_void_p,
            POINTER(ecc_likelihood_options),
            POINTER(ecc_watch),
            POINTER(ecc_error),
        ],
    ),
    "ecc_likelihood_release": (None, [POINTER(ecc_likelihood)]),
    "ecc_stability_measure": (
        c_int,
        [
            POINTER(ecc_runs_alignment),
            c_void_p,
            POINTER(ecc_stability_options),
            POINTER(ecc_watch),
            POINTER(ecc_error),
        ],
    ),
    "ecc_dims_measure": (
        c_int,
        [
            POINTER(ecc_dims),
            POINTER(ecc_train_options),
            c_void_p,
            c_size_t,
            POINTER(ecc_watch),
            POINTER(ecc_error),
        ],
    ),
    "ecc_dims_release": (None, [POINTER(ecc_dims)]),
    "ecc_dims_explained": (c_double, [POINTER(ecc_dims_row)]),
    "ecc_model_meaning": (
        c_int,
        [
            POINTER(ecc_meaning),
            c_void_p,
            POINTER(ecc_components),
            POINTER(ecc_meaning_options),
            POINTER(ecc_error),
        ],
    ),
    "ecc_meaning_release": (None, [POINTER(ecc_meaning)]),
    "ecc_meaning_number": (c_char_p, [c_char_p, c_size_t, POINTER(ecc_meaning_column), c_double]),
    "ecc_meaning_words": (c_char_p, [c_char_p, c_size_t, POINTER(ecc_meaning), c_size_t, c_size_t]),
    "ecc_meaning_columns": (c_size_t, [c_void_p, POINTER(ecc_meaning), c_size_t]),
    "ecc_simulation_defaults": (ecc_simulation_options, []),
    "ecc_simulation_run": (
        c_int,
        [
            POINTER(ecc_simulation),
            POINTER(ecc_simulation_options),
            POINTER(ecc_watch),
            POINTER(ecc_error),
        ],
    ),
    "ecc_simulation_release": (None, [POINTER(ecc_simulation)]),
    "ecc_score_defaults": (ecc_score_options, []),
    "ecc_score_images": (
        c_int,
        [
            POINTER(ecc_score_table),
            POINTER(ecc_score_operand),
            c_size_t,
            POINTER(ecc_score_options),
            POINTER(ecc_watch),
            POINTER(ecc_error),
        ],
    ),
    "ecc_score_table_release": (None, [POINTER(ecc_score_table)]),
    "ecc_statistics_fit": (c_int, [POINTER(ecc_statistics), POINTER(ecc_feature_rows), c_char_p, POINTER(ecc_error)]),
    "ecc_statistics_release": (None, [POINTER(ecc_statistics)]),
    "ecc_statistics_write": (c_int, [POINTER(ecc_statistics), c_char_p, POINTER(ecc_error)]),
    "ecc_statistics_read": (c_int, [POINTER(ecc_statistics), c_char_p, POINTER(ecc_error)]),
    "ecc_frechet_distance": (
        c_int,
        [
            POINTER(ecc_frechet),
            POINTER(ecc_statistics),
            POINTER(ecc_statistics),
            POINTER(ecc_error),
        ],
    ),
    "ecc_kid_estimate": (
        c_int,
        [
            POINTER(ecc_kid),
            POINTER(ecc_feature_rows),
            POINTER(ecc_feature_rows),
            c_uint64,
            POINTER(ecc_error),
        ],
    ),
    "ecc_bench_defaults": (ecc_bench_options, []),
    "ecc_bench": (
        c_int,
        [
            POINTER(ecc_bench_result),
            c_void_p,
            c_size_t,
            POINTER(ecc_bench_options),
            POINTER(ecc_watch),
            POINTER(ecc_error),
        ],
    ),
    "ecc_draw_spectrum": (c_int, [POINTER(ecc_components), c_void_p, c_size_t, c_char_p, POINTER(ecc_error)]),
    "ecc_draw_pairs": (
        c_int,
        [
            c_void_p,
            POINTER(ecc_components),
            c_void_p,
            c_size_t,
            c_double,
            c_char_p,
            POINTER(ecc_error),
        ],
    ),
    "ecc_draw_strips": (
        c_int,
        [
            c_void_p,
            POINTER(ecc_components),
            c_void_p,
            c_size_t,
            c_size_t,
            c_double,
            c_char_p,
            POINTER(ecc_error),
        ],
    ),
    "ecc_draw_grid": (
        c_int,
        [
            c_void_p,
            POINTER(ecc_components),
            POINTER(ecc_walk_grid),
            c_char_p,
            POINTER(ecc_error),
        ],
    ),
    "ecc_draw_meaning": (c_int, [POINTER(ecc_meaning), c_char_p, POINTER(ecc_error)]),
    "ecc_draw_plane": (c_int, [POINTER(ecc_plane), c_char_p, POINTER(ecc_error)]),
    "ecc_draw_images": (
        c_int,
        [
            c_void_p,
            c_size_t,
            c_size_t,
            c_size_t,
            c_size_t,
            c_size_t,
            c_char_p,
            POINTER(ecc_error),
        ],
    ),
    "ecc_draw_runs_alignment": (c_int, [POINTER(ecc_runs_alignment), c_char_p, POINTER(ecc_error)]),
    "ecc_draw_classification": (c_int, [POINTER(ecc_classification), c_char_p, POINTER(ecc_error)]),
    "ecc_draw_dims": (c_int, [POINTER(ecc_dims), c_char_p, POINTER(ecc_error)]),
    "ecc_draw_scores": (c_int, [POINTER(ecc_score_table), c_char_p, POINTER(ecc_error)]),
    "ecc_draw_simulation": (c_int, [POINTER(ecc_simulation), c_char_p, c_char_p, POINTER(ecc_error)]),
    "ecc_report_run": (
        c_int,
        [
            POINTER(ecc_report_result),
            c_void_p,
            c_char_p,
            POINTER(ecc_report_options),
            POINTER(ecc_watch),
            POINTER(ecc_error),
        ],
    ),
    "ecc_space_open": (c_int, [c_void_p, POINTER(ecc_space_request), POINTER(ecc_watch), POINTER(ecc_error)]),
    "ecc_space_items": (c_size_t, [c_void_p]),
    "ecc_space_items_of": (c_size_t, [c_void_p]),
    "ecc_space_free": (None, [c_void_p]),
    "ecc_server_create": (c_int, [c_void_p, c_void_p, POINTER(ecc_server_options), POINTER(ecc_error)]),
    "ecc_server_run": (c_int, [c_void_p, c_void_p, POINTER(ecc_error)]),
    "ecc_server_free": (None, [c_void_p]),
    "ecc_server_url": (c_char_p, [c_void_p]),
    "ecc_server_port": (c_size_t, [c_void_p]),
    "ecc_one_file_write": (
        c_int,
        [
            c_void_p,
            c_char_p,
            c_int,
            POINTER(ecc_one_file_sizes),
            POINTER(ecc_watch),
            POINTER(ecc_error),
        ],
    ),
    "ecc_projector_write": (c_int, [c_void_p, c_char_p, c_void_p, POINTER(ecc_watch), POINTER(ecc_error)]),
    "ecc_compare_defaults": (ecc_compare_options, []),
    "ecc_compare": (c_int, [c_void_p, POINTER(ecc_compare_options), POINTER(ecc_error)]),
    "ecc_reproduce": (c_int, [c_void_p, POINTER(ecc_repro_options), POINTER(ecc_error)]),
}
