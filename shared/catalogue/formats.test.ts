import { expect, it } from 'vitest';
import { FORMATS, type Format } from './formats';

const TABLE_HEAD = ['Format', 'Extensions', 'Page', 'Server', 'Result'] as const;
type Row = readonly string[];

/** A table of Markdown with columns of equal width, as the formatter writes it. */
const tableOf = (rows: readonly Row[]): string => {
  const widths = TABLE_HEAD.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]!.length)));
  const line = (row: Row): string => `| ${row.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`;
  return [line(TABLE_HEAD), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
};

type Listed = Exclude<(typeof FORMATS)[Format], { readonly kind: 'bag' }>;
const RESULTS = { jpeg: 'JPEG; PNG with transparency', png: 'PNG', mp4: 'MP4' } as const;
const rowOf = ({ name, extensions, read, result }: Listed): Row => [
  name,
  extensions.map((extension) => `\`.${extension}\``).join(' '),
  read === 'direct' ? 'yes' : 'converted first',
  read === 'direct' ? 'yes' : 'with ffmpeg',
  RESULTS[result],
];
const tableOfKind = (kind: 'image' | 'video'): string =>
  tableOf(
    Object.values(FORMATS)
      .filter((format): format is Listed => format.kind === kind)
      .map(rowOf),
  );

const PAGE = `# Accepted formats

Files are recognised by their content; extensions only help to choose them. These tables are made from
\`shared/catalogue/formats.ts\` by \`npx vitest run shared/catalogue/formats -u\`.

## Images

${tableOfKind('image')}

Images in high dynamic range are mapped to standard range. Animations and TIFF files of several pages are refused.
[More about images](../use/images-and-videos.md#images).

## Videos

${tableOfKind('video')}

Files of the first four formats contain images in many codecs:

| Codec                                     | Page                                  | Server              |
| ----------------------------------------- | ------------------------------------- | ------------------- |
| H.264, VP8, VP9, AV1                      | yes                                   | yes                 |
| HEVC, also of 10 bits; H.264 of 4:2:2     | as the browser has it, else converted | yes                 |
| ProRes, MPEG-4, MJPEG and other codecs    | converted first                       | converted by ffmpeg |
| Dolby Vision of profile 5; encrypted ones | refused                               | refused             |

The page converts by ffmpeg.wasm, which takes many times as long as the video. A server needs an installed \`ffmpeg\` for
what it converts. High dynamic range is mapped to standard range. [More about videos](../use/images-and-videos.md#videos).

## Bags

The command and the page anonymise the image topics of ${FORMATS.mcap.name} files (\`.${FORMATS.mcap.extensions[0]}\`); the API refuses them.
[More about bags](../use/bags.md).
`;

it('docs/limits/formats.md lists the formats of the table', async () => {
  await expect(PAGE).toMatchFileSnapshot('../../docs/limits/formats.md');
});
