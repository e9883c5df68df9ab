import { FORMATS, type Format } from './formats';

type Row = readonly string[];

interface PageTexts {
  /** @param tables of images and of videos */
  readonly page: (images: string, videos: string) => string;
  /** Columns of both tables, then those of images and of videos. */
  readonly head: { readonly both: Row; readonly image: Row; readonly video: Row };
  readonly read: { readonly direct: Row; readonly converted: Row };
  readonly results: Readonly<Record<'jpeg' | 'png', string>>;
}

const { name: BAG, extensions: BAG_EXTENSIONS } = FORMATS.mcap;

const english: PageTexts = {
  head: { both: ['Format', 'Extensions'], image: ['Result'], video: ['Page', 'Server'] },
  read: { direct: ['yes', 'yes'], converted: ['converted first', 'with ffmpeg'] },
  results: { jpeg: 'JPEG; PNG with transparency', png: 'PNG' },
  page: (images, videos) => `# Accepted formats

Files are recognised by their content; extensions only help to choose them. These tables are made from
\`shared/catalogue/formats.ts\` by \`npx vitest run shared/catalogue/formats -u\`.

## Images

${images}

The page and the server read all of them. Images in high dynamic range are mapped to standard range. Animations and
TIFF files of several pages are refused. [More about images](../use/images-and-videos.md#images).

## Videos

${videos}

Results are MP4. Files of the first four formats contain images in many codecs:

| Codec                                     | Page                                  | Server              |
| ----------------------------------------- | ------------------------------------- | ------------------- |
| H.264, VP8, VP9, AV1                      | yes                                   | yes                 |
| HEVC, also of 10 bits; H.264 of 4:2:2     | as the browser has it, else converted | yes                 |
| ProRes, MPEG-4, MJPEG and other codecs    | converted first                       | converted by ffmpeg |
| Dolby Vision of profile 5; encrypted ones | refused                               | refused             |

The page converts by ffmpeg.wasm, which takes many times as long as the video. A server needs an installed \`ffmpeg\` for
what it converts. High dynamic range is mapped to standard range. [More about
videos](../use/images-and-videos.md#videos).

## Bags

The command and the page anonymise the image topics of ${BAG} files (\`.${BAG_EXTENSIONS[0]}\`); the API refuses them.
[More about bags](../use/bags.md).
`,
};

const german: PageTexts = {
  head: { both: ['Format', 'Endungen'], image: ['Ergebnis'], video: ['Seite', 'Server'] },
  read: { direct: ['ja', 'ja'], converted: ['wird zuerst umgewandelt', 'mit ffmpeg'] },
  results: { jpeg: 'JPEG; PNG mit Transparenz', png: 'PNG' },
  page: (images, videos) => `# Dateiformate

Dateien werden an ihrem Inhalt erkannt; Endungen helfen nur beim Auswählen.

## Bilder

${images}

Seite und Server lesen alle. Bilder mit hohem Dynamikumfang (HDR) erhalten den üblichen Umfang. Animationen und TIFF-Dateien mit mehreren Seiten
werden abgelehnt.

## Videos

${videos}

Ergebnisse sind MP4. Dateien der ersten vier Formate enthalten Bilder in vielen Codecs:

| Codec                                        | Seite                                           | Server               |
| -------------------------------------------- | ----------------------------------------------- | -------------------- |
| H.264, VP8, VP9, AV1                         | ja                                              | ja                   |
| HEVC, auch mit 10 Bit; H.264 mit 4:2:2       | wenn der Browser es liest, sonst nach Umwandlung | ja                  |
| ProRes, MPEG-4, MJPEG und andere             | wird zuerst umgewandelt                         | mit ffmpeg           |
| Dolby Vision Profil 5; verschlüsselte Videos | wird abgelehnt                                  | wird abgelehnt       |

Die Seite wandelt mit ffmpeg.wasm um; das dauert viele Male so lange wie das Video. Ein Server braucht dafür ein
installiertes \`ffmpeg\`. Hoher Dynamikumfang wird zum üblichen.

## Aufzeichnungen von Robotern

Kommandozeile und Seite verbergen Objekte in den Bildern von Dateien in ${BAG} (\`.${BAG_EXTENSIONS[0]}\`); die API lehnt sie ab.
`,
};

/** A table of Markdown with columns of equal width, as the formatter writes it. */
const tableOf = (head: Row, rows: readonly Row[]): string => {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]!.length)));
  const line = (row: Row): string => `| ${row.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
};

type Listed = Exclude<(typeof FORMATS)[Format], { readonly kind: 'bag' }>;

/** The accepted formats as Markdown, in English for the documents, in both languages for the guide of the page. */
export const formatsPage = (language: 'en' | 'de'): string => {
  const { page, head, read, results } = { en: english, de: german }[language];
  const rowOf = (format: Listed): Row => [
    format.name,
    format.extensions.map((extension) => `\`.${extension}\``).join(' '),
    ...(format.kind === 'image'
      ? [results[format.result]]
      : format.read === 'direct'
        ? read.direct
        : read.converted),
  ];
  const tableOfKind = (kind: 'image' | 'video'): string => {
    const listed = Object.values(FORMATS).filter((format): format is Listed => format.kind === kind);
    return tableOf([...head.both, ...head[kind]], listed.map(rowOf));
  };
  return page(tableOfKind('image'), tableOfKind('video'));
};
