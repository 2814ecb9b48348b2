/* A PI law as an FMU, for tests: u = ki x + kp e, x' = e by steps. FMI 2.0 with -DTWO, else 3.0; signatures as in the standard's headers. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    double kp, ki, fail_after, e, x;
    void (*log2)(void *, const char *, int, const char *, const char *, ...);
    void (*log3)(void *, int, const char *, const char *);
    void *environment;
} Servo;

static int set(Servo *s, const unsigned *vr, size_t n, const double *v) {
    for (size_t i = 0; i < n; ++i) {
        switch (vr[i]) {
            case 1: s->e = v[i]; break;
            case 2: s->kp = v[i]; break;
            case 3: s->ki = v[i]; break;
            case 4: s->fail_after = v[i]; break;
            default: return 3;
        }
    }
    return 0;
}

static int get(Servo *s, const unsigned *vr, size_t n, double *v) {
    for (size_t i = 0; i < n; ++i) {
        if (vr[i] != 5) return 3;
        v[i] = s->x * s->ki + s->e * s->kp;
    }
    return 0;
}

static void say(Servo *s, const char *words) {
    if (s->log2) s->log2(s->environment, "servo", 3, "error", words);
    if (s->log3) s->log3(s->environment, 3, "error", words);
}

static int step(Servo *s, double t, double h) {
    if (t + h > s->fail_after) {
        say(s, "the servo is too hot");
        return 3;
    }
    s->x += h * s->e;
    return 0;
}

static Servo *fresh(const char *token) {
    if (strcmp(token, "{servo}") != 0) return NULL;
    Servo *s = calloc(1, sizeof(Servo));
    s->kp = 40.0;
    s->ki = 3.0;
    s->fail_after = 1e30;
    return s;
}

#ifdef TWO
typedef struct {
    void (*logger)(void *, const char *, int, const char *, const char *, ...);
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void *finished;
    void *environment;
} Callbacks;

void *fmi2Instantiate(const char *name, int kind, const char *guid, const char *where, const Callbacks *c, int visible, int logging) {
    Servo *s = kind == 1 ? fresh(guid) : NULL;
    if (s) {
        s->log2 = c->logger;
        s->environment = c->environment;
    }
    return s;
}
int fmi2SetupExperiment(void *s, int a, double b, double start, int c, double d) { return 0; }
int fmi2EnterInitializationMode(void *s) { return 0; }
int fmi2ExitInitializationMode(void *s) { return 0; }
int fmi2SetReal(void *s, const unsigned *vr, size_t n, const double *v) { return set(s, vr, n, v); }
int fmi2GetReal(void *s, const unsigned *vr, size_t n, double *v) { return get(s, vr, n, v); }
int fmi2DoStep(void *s, double t, double h, int keep) { return step(s, t, h); }
int fmi2Terminate(void *s) { return 0; }
void fmi2FreeInstance(void *s) { free(s); }
#else
typedef void (*Log)(void *, int, const char *, const char *);
void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *where, bool visible, bool logging, bool events,
                                  bool early, const unsigned *between, size_t count, void *environment, Log log, void *update) {
    Servo *s = fresh(token);
    if (s) {
        s->log3 = log;
        s->environment = environment;
    }
    return s;
}
int fmi3EnterInitializationMode(void *s, bool a, double b, double start, bool c, double d) { return 0; }
int fmi3ExitInitializationMode(void *s) { return 0; }
int fmi3SetFloat64(void *s, const unsigned *vr, size_t n, const double *v, size_t m) { return n == m ? set(s, vr, n, v) : 3; }
int fmi3GetFloat64(void *s, const unsigned *vr, size_t n, double *v, size_t m) { return n == m ? get(s, vr, n, v) : 3; }
int fmi3DoStep(void *s, double t, double h, bool keep, bool *event, bool *end, bool *early, double *last) {
    *event = *end = *early = false;
    *last = t + h;
    return step(s, t, h);
}
int fmi3Terminate(void *s) { return 0; }
void fmi3FreeInstance(void *s) { free(s); }
#endif
