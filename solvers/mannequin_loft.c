// SPDX-License-Identifier: MIT
#include "solvers/mannequin_loft.h"

#include "motion/conventions.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum { LIMB_AROUND = 14, CAP_RINGS = 3, GIRTHS_MAX = 8, BETWEEN = 2 };
enum { LIMB_RINGS_MAX = 2 * (CAP_RINGS + 1) + 1 + BETWEEN * GIRTHS_MAX };

static void *grown(void *array, size_t bytes, bool *ok)
{
    void *fresh = *ok ? realloc(array, bytes) : NULL;
    *ok = fresh != NULL;
    return fresh ? fresh : array;
}

static bool reserve(ug_loft *loft, size_t vertices, size_t triangles)
{
    ug_mesh *m = loft->mesh = loft->mesh ? loft->mesh : ug_mesh_create(0, 0);
    bool ok = m && m->vertex_count + vertices < UINT32_MAX;
    if (ok && m->vertex_count + vertices > loft->vertex_capacity) {
        const size_t capacity = 2 * loft->vertex_capacity + vertices;
        m->positions_m = grown(m->positions_m, capacity * sizeof *m->positions_m, &ok);
        m->normals = grown(m->normals, capacity * sizeof *m->normals, &ok);
        m->skin = grown(m->skin, capacity * sizeof *m->skin, &ok);
        loft->vertex_capacity = ok ? capacity : loft->vertex_capacity;
    }
    if (ok && m->triangle_count + triangles > loft->triangle_capacity) {
        const size_t capacity = 2 * loft->triangle_capacity + triangles;
        m->triangles = grown(m->triangles, capacity * sizeof *m->triangles, &ok);
        loft->triangle_capacity = ok ? capacity : loft->triangle_capacity;
    }
    return ok;
}

static void add_triangle(ug_mesh *m, size_t a, size_t b, size_t c)
{
    uint32_t *corner = m->triangles[m->triangle_count++];
    corner[0] = (uint32_t)a;
    corner[1] = (uint32_t)b;
    corner[2] = (uint32_t)c;
}

static void add_vertices(ug_mesh *m, const ug_ring *rings, size_t ring_count, size_t around)
{
    for (size_t r = 0; r < ring_count; r++) {
        const bool point = r == 0 || r + 1 == ring_count;
        for (size_t i = 0; i < (point ? 1 : around); i++) {
            const double turn = 2.0 * UG_PI * (double)i / (double)around;
            ug_vec3 p = rings[r].centre_m;
            if (!point) {
                p = ug_vec3_madd(p, cos(turn), rings[r].u);
                p = ug_vec3_madd(p, sin(turn), rings[r].v);
            }
            m->positions_m[m->vertex_count] = p;
            m->normals[m->vertex_count] = (ug_vec3){ 0, 0, 0 };
            m->skin[m->vertex_count++] = rings[r].skin;
        }
    }
}

// Counterclockwise seen from outside, since u × v points along the tube.
static void add_triangles(ug_mesh *m, size_t first, size_t ring_count, size_t around)
{
    const size_t bands = ring_count - 3; // between the rings that are not points
    const size_t last = first + 1 + (bands + 1) * around;
    for (size_t i = 0; i < around; i++) {
        const size_t next = (i + 1) % around;
        add_triangle(m, first, first + 1 + next, first + 1 + i);
        for (size_t b = 0; b < bands; b++) {
            const size_t ring = first + 1 + b * around;
            add_triangle(m, ring + i, ring + next, ring + around + next);
            add_triangle(m, ring + i, ring + around + next, ring + around + i);
        }
        add_triangle(m, last, last - around + i, last - around + next);
    }
}

// Each vertex: the faces around it, by area.
static void set_normals(ug_mesh *m, size_t first_vertex, size_t first_triangle, ug_vec3 middle)
{
    for (size_t t = first_triangle; t < m->triangle_count; t++) {
        const uint32_t *corner = m->triangles[t];
        const ug_vec3 a = m->positions_m[corner[0]];
        const ug_vec3 face = ug_vec3_cross(ug_vec3_sub(m->positions_m[corner[1]], a),
                                           ug_vec3_sub(m->positions_m[corner[2]], a));
        for (int k = 0; k < 3; k++) {
            m->normals[corner[k]] = ug_vec3_add(m->normals[corner[k]], face);
        }
    }
    for (size_t v = first_vertex; v < m->vertex_count; v++) {
        const ug_vec3 out =
            ug_vec3_unit(ug_vec3_sub(m->positions_m[v], middle), (ug_vec3){ 0, 1, 0 });
        const double area = ug_vec3_norm(m->normals[v]); // of a tenth of a millimetre: 1e-8
        m->normals[v] =
            area > 1e-100 ? ug_vec3_unit(ug_vec3_scale(m->normals[v], 1.0 / area), out) : out;
    }
}

ug_status ug_loft_add(ug_loft *loft, const ug_ring *rings, size_t ring_count, size_t around,
                      ug_error *err)
{
    assert(ring_count >= 3 && around >= 3);
    const size_t inner = ring_count - 2;
    if (!reserve(loft, inner * around + 2, 2 * inner * around)) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    ug_mesh *m = loft->mesh;
    const size_t first_vertex = m->vertex_count, first_triangle = m->triangle_count;
    add_vertices(m, rings, ring_count, around);
    add_triangles(m, first_vertex, ring_count, around);
    set_normals(m, first_vertex, first_triangle, rings[ring_count / 2].centre_m);
    return UG_OK;
}

ug_mesh *ug_loft_finish(ug_loft *loft)
{
    ug_mesh *mesh = loft->mesh ? loft->mesh : ug_mesh_create(0, 0);
    *loft = (ug_loft){ 0 };
    return mesh;
}

void ug_loft_fini(ug_loft *loft)
{
    ug_mesh_destroy(loft->mesh);
    *loft = (ug_loft){ 0 };
}

// ---- weights

void ug_chain_add(ug_chain *chain, int joint, double bound_m, double blend_m)
{
    const size_t n = chain->count;
    if (joint < 0 || n == UG_CHAIN_JOINTS_MAX ||
        (n > 0 && chain->joints[n - 1] == (uint32_t)joint)) {
        return;
    }
    chain->joints[n] = (uint32_t)joint;
    if (n > 0) {
        const double before = n > 1 ? chain->bounds_m[n - 2] : bound_m;
        chain->bounds_m[n - 1] = fmax(bound_m, before);
        chain->blend_m[n - 1] = blend_m;
    }
    chain->count++;
}

static double smooth_step(double x)
{
    x = fmin(fmax(x, 0.0), 1.0);
    return x * x * (3.0 - 2.0 * x);
}

ug_mesh_skin ug_chain_skin(const ug_chain *chain, double at_m)
{
    double weights[UG_CHAIN_JOINTS_MAX];
    double past = 1.0; // how much has passed the bound before
    for (size_t k = 0; k < chain->count; k++) {
        double next = 0.0;
        if (k + 1 < chain->count) {
            const double half = fmax(chain->blend_m[k], 1e-9);
            next = smooth_step((at_m - chain->bounds_m[k] + half) / (2.0 * half));
            next = fmin(next, past);
        }
        weights[k] = past - next;
        past = next;
    }
    return ug_mesh_skin_make(chain->joints, weights, chain->count);
}

// ---- limbs

// Rings of a limb before it has a place: how far along, how wide.
typedef struct outline {
    double at_m[LIMB_RINGS_MAX], radius_m[LIMB_RINGS_MAX];
    size_t count;
} outline;

static void outline_add(outline *o, double at_m, double radius_m)
{
    assert(o->count < LIMB_RINGS_MAX);
    o->at_m[o->count] = at_m;
    o->radius_m[o->count++] = radius_m;
}

static outline limb_outline(const ug_girth *girth, size_t count, double length_m)
{
    outline o = { .count = 0 };
    const double first = girth[0].radius_m, last = girth[count - 1].radius_m;
    outline_add(&o, -first, 0.0);
    for (int i = 1; i <= CAP_RINGS; i++) {
        const double turn = UG_PI / 2.0 * (double)i / (CAP_RINGS + 1);
        outline_add(&o, -first * cos(turn), first * sin(turn));
    }
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < (i + 1 < count ? BETWEEN : 1); k++) {
            const double t = (double)k / BETWEEN;
            const ug_girth *a = &girth[i], *b = &girth[i + 1 < count ? i + 1 : i];
            const double radius = a->radius_m + smooth_step(t) * (b->radius_m - a->radius_m);
            outline_add(&o, length_m * (a->at + t * (b->at - a->at)), radius);
        }
    }
    for (int i = CAP_RINGS; i >= 1; i--) {
        const double turn = UG_PI / 2.0 * (double)i / (CAP_RINGS + 1);
        outline_add(&o, length_m + last * cos(turn), last * sin(turn));
    }
    outline_add(&o, length_m + last, 0.0);
    return o;
}

static ug_vec3 perpendicular(ug_vec3 axis)
{
    const ug_vec3 other = fabs(axis.z) < 0.9 ? (ug_vec3){ 0, 0, 1 } : (ug_vec3){ 1, 0, 0 };
    return ug_vec3_unit(ug_vec3_cross(axis, other), other);
}

ug_status ug_loft_add_limb(ug_loft *loft, ug_vec3 from_m, ug_vec3 to_m, const ug_girth *girth,
                           size_t girth_count, const ug_chain *chain, ug_error *err)
{
    assert(girth_count >= 1 && girth_count <= GIRTHS_MAX);
    const double length_m = ug_vec3_distance(from_m, to_m);
    const ug_vec3 axis = ug_vec3_unit(ug_vec3_sub(to_m, from_m), (ug_vec3){ 0, 1, 0 });
    const ug_vec3 u = perpendicular(axis), v = ug_vec3_cross(axis, u);
    const outline o = limb_outline(girth, girth_count, length_m);
    ug_ring rings[LIMB_RINGS_MAX];
    for (size_t i = 0; i < o.count; i++) {
        rings[i] = (ug_ring){ .centre_m = ug_vec3_madd(from_m, o.at_m[i], axis),
                              .u = ug_vec3_scale(u, o.radius_m[i]),
                              .v = ug_vec3_scale(v, o.radius_m[i]),
                              .skin = ug_chain_skin(chain, o.at_m[i]) };
    }
    return ug_loft_add(loft, rings, o.count, LIMB_AROUND, err);
}

ug_status ug_loft_add_ball(ug_loft *loft, ug_vec3 centre_m, double radius_m, int joint,
                           ug_error *err)
{
    const ug_girth girth = { 0.0, radius_m };
    ug_chain chain = { .count = 0 };
    ug_chain_add(&chain, joint, 0.0, 0.0);
    return ug_loft_add_limb(loft, centre_m, centre_m, &girth, 1, &chain, err);
}
