/** A library that is compiled into a package's binaries. */
export interface BinaryPart {
  readonly name: string;
  /** SPDX expression that the library's project declares. */
  readonly licence: string;
}

/** Libraries in the binaries of packages, in addition to the packages' own code. */
export interface BinaryContents {
  /** Names of packages; a star stands for the platform. */
  readonly packages: readonly string[];
  readonly parts: readonly BinaryPart[];
  /** Licence of the whole binary, if it differs from the one that the package declares. */
  readonly effectiveLicence?: string;
  /** Source of this information. */
  readonly evidence: string;
  /** Address of the source code of parts under a copyleft licence. */
  readonly source?: string;
}

const part = (name: string, licence: string): BinaryPart => ({ name, licence });

const PART = {
  ffmpeg: part('FFmpeg', 'GPL-2.0-or-later'),
  x264: part('x264', 'GPL-2.0-or-later'),
  x265: part('x265', 'GPL-2.0-or-later'),
  lame: part('LAME', 'LGPL-2.0-or-later'),
  opus: part('libopus', 'BSD-3-Clause'),
  vorbis: part('libvorbis', 'BSD-3-Clause'),
  theora: part('libtheora', 'BSD-3-Clause'),
  vpx: part('libvpx', 'BSD-3-Clause'),
  aom: part('libaom', 'BSD-2-Clause'),
  webp: part('libwebp', 'BSD-3-Clause'),
  jxl: part('libjxl', 'BSD-3-Clause'),
  brotli: part('Brotli', 'MIT'),
  highway: part('Highway', 'Apache-2.0 OR BSD-3-Clause'),
  lcms: part('Little CMS', 'MIT'),
  zlib: part('zlib', 'Zlib'),
  zimg: part('zimg', 'WTFPL'),
  ass: part('libass', 'ISC'),
  freetype: part('FreeType', 'FTL OR GPL-2.0-or-later'),
  fribidi: part('FriBidi', 'LGPL-2.1-or-later'),
  harfbuzz: part('HarfBuzz', 'MIT'),
  sqlite: part('SQLite', 'blessing'),
  curl: part('libcurl', 'curl'),
  protobuf: part('Protocol Buffers', 'BSD-3-Clause'),
  abseil: part('Abseil', 'Apache-2.0'),
  re2: part('RE2', 'BSD-3-Clause'),
  flatbuffers: part('FlatBuffers', 'Apache-2.0'),
  eigen: part('Eigen', 'MPL-2.0'),
  rustls: part('rustls', 'Apache-2.0 OR ISC OR MIT'),
  ring: part('ring', 'Apache-2.0 AND ISC'),
  tokio: part('tokio, hyper, tonic and other Rust crates', 'MIT OR Apache-2.0'),
  napi: part('napi-rs and other Rust crates', 'MIT OR Apache-2.0'),
} as const;

/** Libraries of `@img/sharp-libvips-*`, from the table in the package's README. */
const LIBVIPS_PARTS: readonly BinaryPart[] = [
  ...['fribidi', 'glib', 'libexif', 'libheif', 'librsvg', 'libvips', 'pango', 'proxy-libintl'].map((name) =>
    part(name, 'LGPL-3.0-or-later'),
  ),
  ...['cgif', 'expat', 'harfbuzz', 'lcms', 'libffi', 'libnsgif', 'libultrahdr', 'libxml2', 'pixman'].map(
    (name) => part(name, 'MIT'),
  ),
  part('cairo', 'MPL-1.1'),
  ...['libaom', 'libarchive', 'libimagequant'].map((name) => part(name, 'BSD-2-Clause')),
  ...['highway', 'libwebp'].map((name) => part(name, 'BSD-3-Clause')),
  part('fontconfig', 'HPND-sell-variant'),
  part('freetype', 'FTL'),
  part('libpng', 'libpng-2.0'),
  part('libtiff', 'libtiff'),
  part('mozjpeg', 'IJG AND BSD-3-Clause AND Zlib'),
  part('zlib-ng', 'Zlib'),
];

/** Facts that no package declares completely, with their sources. `binary-contents.test.ts` checks them. */
export const BINARY_CONTENTS: readonly BinaryContents[] = [
  {
    packages: ['@napi-rs/webcodecs-*'],
    effectiveLicence: 'GPL-2.0-or-later',
    parts: [
      ...[PART.ffmpeg, PART.x264, PART.x265, PART.lame, PART.opus, PART.vorbis, PART.vpx, PART.aom],
      ...[PART.webp, PART.jxl, PART.brotli, PART.highway, PART.lcms, PART.zlib, PART.napi],
    ],
    evidence: 'strings in the binary of linux-x64: versions and options of each library',
    source:
      'github.com/Brooooooklyn/webcodecs-node, ffmpeg.org, www.videolan.org/developers/x264.html, www.x265.org',
  },
  {
    packages: ['@ffmpeg/core'],
    effectiveLicence: 'GPL-2.0-or-later',
    parts: [
      ...[PART.ffmpeg, PART.x264, PART.x265, PART.lame, PART.opus, PART.vorbis, PART.theora, PART.vpx],
      ...[PART.webp, PART.zimg, PART.ass, PART.freetype, PART.fribidi, PART.harfbuzz, PART.zlib],
    ],
    evidence: 'FFmpeg configuration in the binary (`--enable-gpl --enable-libx264 --enable-libx265 …`)',
    source: 'github.com/ffmpegwasm/ffmpeg.wasm',
  },
  {
    packages: [
      '@img/sharp-libvips-*',
      '@img/sharp-win32-*',
      '@img/sharp-wasm32',
      '@img/sharp-webcontainers-wasm32',
    ],
    effectiveLicence: 'LGPL-3.0-or-later',
    parts: LIBVIPS_PARTS,
    evidence: "the package's README.md and versions.json",
    source: 'github.com/lovell/sharp-libvips',
  },
  {
    packages: ['libheif-js'],
    effectiveLicence: 'LGPL-3.0-or-later',
    parts: [part('libheif', 'LGPL-3.0-or-later'), part('libde265', 'LGPL-3.0-or-later')],
    evidence: 'strings in libheif.wasm; the build script of the package',
    source:
      'github.com/strukturag/libheif, github.com/strukturag/libde265, github.com/catdad-experiments/libheif-emscripten',
  },
  {
    packages: ['onnxruntime-node'],
    parts: [PART.protobuf, PART.abseil, PART.re2, PART.flatbuffers, PART.eigen, PART.curl, PART.sqlite],
    evidence: 'strings in libonnxruntime.so.1; ThirdPartyNotices.txt of the source has all',
    source: 'github.com/microsoft/onnxruntime',
  },
  {
    packages: ['onnxruntime-web'],
    parts: [PART.protobuf, PART.abseil, PART.re2, PART.flatbuffers, PART.eigen],
    evidence: 'strings in the .wasm files; ThirdPartyNotices.txt of the source has all',
    source: 'github.com/microsoft/onnxruntime',
  },
  {
    packages: ['@libsql/*'],
    parts: [PART.sqlite, PART.rustls, PART.ring, PART.tokio],
    evidence: 'strings in index.node: names of crates',
  },
  {
    packages: ['@foxglove/wasm-zstd'],
    parts: [part('Zstandard', 'BSD-3-Clause')],
    evidence: "the package's README.md; github.com/facebook/zstd is also offered under the GPL",
    source: 'github.com/foxglove/wasm-zstd',
  },
  { packages: ['@napi-rs/nice-*'], parts: [PART.napi], evidence: 'the source of @napi-rs/nice' },
  { packages: ['@img/sharp-*'], parts: [], evidence: 'links to libvips, which is a package of its own' },
];
