// SPDX-License-Identifier: MIT
// The store as a user of h5py meets it (BUGS S20). Skipped where python3 or h5py is not installed.
#include "formats/store.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/full_take.h"

static const char PATH[] = "unit_store_h5py.h5";

static const char CHECK[] =
    "import sys, h5py, numpy as np\n"
    "path = sys.argv[1]\n"
    "f = h5py.File(path, 'r')\n"
    "seen = {'str': 0, 'number': 0, 'dataset': 0}\n"
    "def attributes(name, o):\n"
    "    for key, value in o.attrs.items():\n"
    "        if key == 'DIMENSION_LABELS':\n"
    "            assert all(isinstance(v, str) for v in value), (name, key, value)\n"
    "        elif isinstance(value, str):\n"
    "            seen['str'] += 1\n"
    "        else:\n"
    "            assert isinstance(value, (np.integer, np.floating)), (name, key, type(value))\n"
    "            assert np.shape(value) == (), (name, key)\n"
    "            seen['number'] += 1\n"
    "    if isinstance(o, h5py.Dataset):\n"
    "        seen['dataset'] += 1\n"
    "        for key in ('shape', 'unit', 'meaning'):\n"
    "            assert isinstance(o.attrs[key], str), (name, key)\n"
    "        assert o.attrs['meaning'], name\n"
    "        assert all(d.label for d in o.dims), name\n"
    "        assert o.dtype.kind in 'iufS', (name, o.dtype)\n"
    "        assert o.compression is None, name\n"
    "        data = o.asstr()[()] if o.dtype.kind == 'S' and o.size and "
    "'source/parameters' not in name else o[()]\n"
    "attributes('/', f)\n"
    "f.visititems(attributes)\n"
    "assert seen['str'] > 200 and seen['number'] > 40 and seen['dataset'] > 60, seen\n"
    "a = dict(f.attrs)\n"
    "assert a == {'schema': 'ugoki', 'schema_version': 1, 'up': '+Y', 'forward': '+Z',\n"
    "             'unit': 'm', 'quaternion': 'wxyz'}, a\n"
    "assert list(f['markers/labels'].asstr()[:]) == ['LASI', '膝', 'Köpfchen', '']\n"
    "assert list(f['skeleton/names'].asstr()[:])[0] == 'Hüfte'\n"
    "assert f['skeleton'].attrs['name'] == 'Trollkörper'\n"
    "assert f['contacts/reason'].asstr()[2] == 'zu kurz: 12 ms – übergangen'\n"
    "p = f['provenance/0001-import'].attrs\n"
    "assert p['command_line'] == \"ugoki import 'Läufer 1.c3d' -o a.h5\" and p['seed'] == 2**64 - "
    "1\n"
    "assert f['provenance/0002-clean'].attrs['metrics'] == ''\n"
    "x = f['markers/positions']\n"
    "assert x.shape == (37, 4, 3) and x.chunks[1:] == (4, 3) and x.attrs['unit'] == 'mm'\n"
    "assert [d.label for d in x.dims] == ['frame', 'marker', 'xyz']\n"
    "m = f['markers'].attrs\n"
    "assert (m['rate_num'], m['rate_den'], m['first_frame']) == (120000, 1001, -4001)\n"
    "missing = np.isnan(x[()]).any(axis=2)\n"
    "assert (missing == (f['markers/origin'][()] == 0)).all() and missing.any()\n"
    "assert f['source/parameters/POINT/RATE'][()] == np.float32(119.88)\n"
    "assert f['source/parameters/POINT/RATE'].attrs['description'] == \"Fréquence d'images\"\n"
    "assert list(f['source/parameters/POINT/LABELS'][:]) == [b'ab', b'', b'c d']\n"
    "f.close()\n"
    "block = open(path, 'rb').read(512)\n"
    "magic, schema, size, digest = block.rstrip(b'\\0').split()\n"
    "import os\n"
    "assert (magic, schema) == (b'UGOKI', b'1') and int(size) == os.path.getsize(path) - 512\n";

static int run_python(const char *script, const char *argument)
{
    const pid_t child = fork();
    if (child == 0) {
        (void)execlp("/usr/bin/python3", "python3", "-c", script, argument, (char *)NULL);
        _exit(127);
    }
    int ended = 0;
    if (child < 0 || waitpid(child, &ended, 0) != child || !WIFEXITED(ended)) {
        return -1;
    }
    return WEXITSTATUS(ended);
}

static void test_every_attribute_reads_as_str_or_number(void **state)
{
    (void)state;
    ug_take take;
    full_take_init(&take, 1);
    assert_int_equal(ug_store_write(PATH, &take, UG_PART_ALL, NULL, NULL), UG_OK);
    assert_int_equal(run_python(CHECK, PATH), 0);
    // and after a stage that copies every group
    assert_int_equal(
        ug_store_write(PATH, &take, UG_PART_CONTACTS, &(ug_store_opts){ .base_path = PATH }, NULL),
        UG_OK);
    assert_int_equal(run_python(CHECK, PATH), 0);
    ug_take_fini(&take);
    (void)remove(PATH);
}

static void test_an_edit_by_h5py_is_refused_then_sealed(void **state)
{
    (void)state;
    ug_take take, back;
    full_take_init(&take, 1);
    assert_int_equal(ug_store_write(PATH, &take, UG_PART_ALL, NULL, NULL), UG_OK);
    assert_int_equal(run_python("import sys, h5py\n"
                                "with h5py.File(sys.argv[1], 'r+') as f:\n"
                                "    del f['skeleton/names']\n"
                                "    f['skeleton/names'] = ['a', 'b', 'ç', 'd', 'e']\n"
                                "    f['mine/x'] = 1.5\n"
                                "    f['mine'].attrs.update({'n%d' % i: 'é' for i in range(20)})\n",
                                PATH),
                     0);
    ug_error err = { 0 };
    ug_take_init(&back);
    assert_int_equal(ug_store_read(&back, PATH, UG_PART_ALL, NULL, &err), UG_E_FORMAT);
    assert_int_equal(ug_store_seal(PATH, NULL, NULL), UG_OK);
    assert_int_equal(ug_store_read(&back, PATH, UG_PART_ALL, NULL, NULL), UG_OK);
    assert_string_equal(back.skeleton->joints[2].name, "ç");
    ug_take_fini(&back);
    assert_int_equal(run_python("import sys, h5py\n"
                                "f = h5py.File(sys.argv[1])\n"
                                "assert f['mine/x'][()] == 1.5\n"
                                "assert f['mine'].attrs['n19'] == 'é'\n",
                                PATH),
                     0);
    ug_take_fini(&take);
    (void)remove(PATH);
}

int main(void)
{
    if (run_python("import sys\ntry:\n    import h5py\nexcept ImportError:\n    sys.exit(77)\n",
                   PATH) != 0) {
        print_message("skipped: /usr/bin/python3 with h5py is not installed\n");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_attribute_reads_as_str_or_number),
        cmocka_unit_test(test_an_edit_by_h5py_is_refused_then_sealed),
    };
    return cmocka_run_group_tests_name("formats/store_h5py", tests, NULL, NULL);
}
