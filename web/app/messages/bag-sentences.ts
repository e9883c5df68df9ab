type Translated = string | ((...parts: readonly string[]) => string);

/** Clauses that say why a topic or a bag cannot be read; what varies is in the groups. */
const CLAUSES: readonly (readonly [english: RegExp, german: Translated])[] = [
  [/^it does not begin as a bag$/, 'die Datei beginnt nicht wie ein Bag'],
  [/^its data have no end$/, 'die Daten haben kein Ende'],
  [/^a chunk ends within a record$/, 'ein Chunk endet mitten in einem Datensatz'],
  [/^it has two different schemas (\d+)$/, (id) => `es hat zwei verschiedene Schemas ${id}`],
  [/^it has two different channels (\d+)$/, (id) => `es hat zwei verschiedene Kanäle ${id}`],
  [/^the topic (".*") has no schema$/s, (topic) => `das Topic ${topic} hat kein Schema`],
  [
    /^a message has the channel (\d+), which is not described before$/,
    (id) => `eine Nachricht gehört zum Kanal ${id}, der nicht vorher beschrieben ist`,
  ],
  [/^a chunk cannot be decompressed$/, 'ein Chunk lässt sich nicht entpacken'],
  [/^a chunk has another size than it states$/, 'ein Chunk hat eine andere Größe, als er angibt'],
  [/^the checksum of a chunk is wrong$/, 'die Prüfsumme eines Chunks ist falsch'],
  [/^the checksum of its data is wrong$/, 'die Prüfsumme der Daten ist falsch'],
  [/^an attachment is cut off$/, 'ein Anhang ist abgeschnitten'],
  [/^a message is shorter than its head$/, 'eine Nachricht ist kürzer als ihr Kopf'],
  [/^a record ends before its fields do$/, 'ein Datensatz endet vor seinen Feldern'],
  [/^a frame of its video cannot be encoded$/, 'ein Einzelbild seines Videos lässt sich nicht kodieren'],
  [/^a frame of its video cannot be decoded$/, 'ein Einzelbild seines Videos lässt sich nicht dekodieren'],
  [/^its images have different sizes$/, 'seine Bilder sind verschieden groß'],
  [/^its video has an odd size$/, 'sein Video hat eine ungerade Größe'],
  [/^its video changes its format$/, 'sein Video wechselt das Format'],
  [/^its video is not in the form of Annex B$/, 'sein Video hat nicht die Form von Annex B'],
  [
    /^the frames of its video are not in the order of their stamps$/,
    'die Einzelbilder seines Videos sind nicht in der Reihenfolge ihrer Zeitstempel',
  ],
  [/^it has video in the format (.*)$/s, (format) => `es hat Video im Format ${format}`],
  [
    /^this browser cannot read and write H\.264 video$/,
    'dieser Browser kann H.264-Video nicht lesen und schreiben',
  ],
  [/^it has images and depths$/, 'es hat Bilder und Tiefenbilder'],
  [
    /^its messages may show something, and Veil does not know them$/,
    'seine Nachrichten können etwas zeigen, und Veil kennt sie nicht',
  ],
  [
    /^its messages contain image files, and Veil does not know them$/,
    'seine Nachrichten enthalten Bilddateien, und Veil kennt sie nicht',
  ],
  [/^its messages have a field (".*")$/s, (field) => `seine Nachrichten haben ein Feld ${field}`],
  [/^its messages have no field (".*")$/s, (field) => `seine Nachrichten haben kein Feld ${field}`],
  [
    /^its messages have the field (".*") twice$/s,
    (field) => `seine Nachrichten haben das Feld ${field} zweimal`,
  ],
  [
    /^its messages have a long text (".*")$/s,
    (field) => `seine Nachrichten haben einen langen Text ${field}`,
  ],
  [
    /^its messages have another type of (".*")$/s,
    (field) => `seine Nachrichten haben einen anderen Typ von ${field}`,
  ],
  [/^its messages have no time in (".*")$/s, (field) => `seine Nachrichten haben keine Zeit in ${field}`],
  [/^its messages are too long$/, 'seine Nachrichten sind zu lang'],
  [/^the data of its messages are not Base64$/, 'die Daten seiner Nachrichten sind kein Base64'],
  [/^its messages are not JSON objects$/, 'seine Nachrichten sind keine JSON-Objekte'],
  [/^its messages are damaged$/, 'seine Nachrichten sind beschädigt'],
  [/^its schema does not describe it$/, 'sein Schema beschreibt es nicht'],
  [/^its schema has another field (".*")$/s, (field) => `sein Schema hat ein weiteres Feld ${field}`],
  [
    /^its messages have other fields than its schema$/,
    'seine Nachrichten haben andere Felder als sein Schema',
  ],
  [
    /^its messages are (".*") with a schema in (".*")$/s,
    (message, schema) => `seine Nachrichten sind ${message} mit einem Schema in ${schema}`,
  ],
  [
    /^its schema defines the type (".*") in another way$/s,
    (type) => `sein Schema beschreibt den Typ ${type} anders`,
  ],
  [/^its schema is too long$/, 'sein Schema ist zu lang'],
  [/^its schema has the field (".*")$/s, (field) => `sein Schema hat das Feld ${field}`],
  [/^its messages are not plain CDR$/, 'seine Nachrichten sind kein einfaches CDR'],
  [/^its messages end before their fields do$/, 'seine Nachrichten enden vor ihren Feldern'],
  [/^its messages are longer than their fields$/, 'seine Nachrichten sind länger als ihre Felder'],
  [
    /^it claims images of (.*) pixels; the limit is (\d+) in all$/,
    (size, limit) => `es gibt Bilder mit ${size} Pixeln an; die Grenze ist ${limit} insgesamt`,
  ],
  [/^it has images in the format (.*)$/, (format) => `es hat Bilder im Format ${format}`],
  [/^an image is refused \((.*)\)$/s, (why) => `ein Bild wird abgelehnt (${why})`],
  [/^an image cannot be decoded$/, 'ein Bild lässt sich nicht dekodieren'],
  [/^it has the encoding (".*")$/s, (encoding) => `es hat die Kodierung ${encoding}`],
  [
    /^(\d+) bytes are no image of (.*) pixels as (.*)$/s,
    (bytes, size, encoding) => `${bytes} Bytes sind kein Bild von ${size} Pixeln als ${encoding}`,
  ],
];

const SENTENCES: typeof CLAUSES = [
  [/^The bag is damaged: (.*)\.$/s, (clause) => `Das Bag ist beschädigt: ${germanOf(clause)}.`],
  [
    /^The bag is truncated: it has no end\. `mcap recover` makes a whole one of it\.$/,
    'Das Bag ist unvollständig: Es hat kein Ende. `mcap recover` macht daraus ein ganzes.',
  ],
  [/^The bag was changed while it was read\.$/, 'Das Bag wurde verändert, während es gelesen wurde.'],
  [
    /^The bag claims a (chunk|record) of (\d+) bytes; the limit is (\d+) bytes\.$/,
    (what, bytes, limit) =>
      `Das Bag gibt einen ${what === 'chunk' ? 'Chunk' : 'Datensatz'} von ${bytes} Bytes an; die Grenze ist ${limit} Bytes.`,
  ],
  [
    /^The bag is compressed with (".*"); lz4 and zstd are read here\.$/s,
    (name) => `Das Bag ist mit ${name} komprimiert; hier werden lz4 und zstd gelesen.`,
  ],
  [
    /^The bag has schemas and channels of more than (\d+) bytes\.$/,
    (limit) => `Das Bag hat Schemas und Kanäle von mehr als ${limit} Bytes.`,
  ],
  [/^The bag has more than (\d+) images\.$/, (limit) => `Das Bag hat mehr als ${limit} Bilder.`],
  [
    /^The bag has too many images: the limit is (\d+) pixels in all of them\.$/,
    (limit) => `Das Bag hat zu viele Bilder: Die Grenze ist ${limit} Pixel in allen zusammen.`,
  ],
  [
    /^The topic (".*") cannot be anonymised: (.*)\. Leave it out with --drop-topic, or keep it as it is with --keep-topic\.$/s,
    (topic, clause) =>
      `Das Topic ${topic} lässt sich nicht anonymisieren: ${germanOf(clause)}. Lassen Sie es weg, oder behalten Sie es, wie es ist.`,
  ],
  [
    /^The file is a ROS 1 bag; convert it to MCAP first: (.*)\.$/,
    (command) => `Die Datei ist ein Bag von ROS 1; wandeln Sie es zuerst in MCAP um: ${command}.`,
  ],
  [
    /^The file is a ROS 2 bag of SQLite; convert it to MCAP first: (.*), or (.*)\.$/,
    (one, other) =>
      `Die Datei ist ein SQLite-Bag von ROS 2; wandeln Sie es zuerst in MCAP um: ${one} oder ${other}.`,
  ],
];

/** What the engine says of a bag or a topic, in German; in English where it is none of these. */
export const germanOf = (said: string): string => {
  for (const [english, german] of [...SENTENCES, ...CLAUSES]) {
    const found = english.exec(said);
    if (found) return typeof german === 'string' ? german : german(...found.slice(1));
  }
  return said;
};
