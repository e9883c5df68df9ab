import type { Translated } from './translate';

/** Kinds of files, and units. */
export const GERMAN_FACTS: readonly Translated[] = [
  ['not an image', 'kein Bild'],
  ['a {} image', 'ein {}-Bild'],
  ['an {} image', 'ein {}-Bild'],
  ['a Canon raw image', 'ein Rohbild von Canon'],
  ['a JPEG XL image', 'ein Bild in JPEG XL'],
  ['a JPEG 2000 image', 'ein Bild in JPEG 2000'],
  ['an icon', 'ein Symbol'],
  ['a PDF document', 'ein PDF-Dokument'],
  ['an SVG drawing', 'eine SVG-Zeichnung'],
  ['an MCAP bag', 'ein MCAP-Bag'],
  ['a ROS 1 bag', 'ein Bag von ROS 1'],
  ['an SQLite database', 'eine SQLite-Datenbank'],
  ['a {} video', 'ein {}-Video'],
  ['an {} video', 'ein {}-Video'],
  ['a WebM or Matroska video', 'ein WebM- oder Matroska-Video'],
  ['a Windows Media video', 'ein Windows-Media-Video'],
  ['an MPEG transport stream', 'ein MPEG-Transportstrom'],
  ['an Ogg file', 'eine Ogg-Datei'],
  ['{} seconds', '{} Sekunden'],
  ['{} minutes', '{} Minuten'],
  ['{} hours', '{} Stunden'],
  ['1 hour', '1 Stunde'],
  ['1 minute', '1 Minute'],
  ['{} bytes', '{} Bytes'],
  ['{} with {} frames', '{} mit {} Einzelbildern'],
  ['strokes', 'Striche'],
  ['boxes and ellipses', 'Rechtecke und Ellipsen'],
];

/** A list of names, in German. */
const all = (names: string): string => names.replace(' and ', ' und ');

/** What the engine says of images. */
export const GERMAN_IMAGES: readonly Translated[] = [
  [
    'The file is {}; {} images are supported.',
    (kind, names) => `Die Datei ist ${kind}; gelesen werden Bilder in ${all(names)}.`,
  ],
  [
    'The image is damaged: its pixel data cannot be decoded.',
    'Das Bild ist beschädigt: Seine Pixel lassen sich nicht dekodieren.',
  ],
  [
    'The {} file is damaged: its header is corrupt.',
    'Die {}-Datei ist beschädigt: Ihr Anfang ist fehlerhaft.',
  ],
  [
    'The {} file is truncated: it ends before the image does.',
    'Die {}-Datei ist unvollständig: Sie endet vor dem Bild.',
  ],
  ['The {} file claims more parts than an image has.', 'Die {}-Datei gibt mehr Teile an, als ein Bild hat.'],
  [
    'This is an animated {}; only still images are supported.',
    'Das ist ein bewegtes {}; gelesen werden nur unbewegte Bilder.',
  ],
  ['The image claims {} × {} pixels: it is empty.', 'Das Bild gibt {} × {} Pixel an: Es ist leer.'],
  [
    'The image claims {} × {} pixels; the limit is {} pixels a side.',
    'Das Bild gibt {} × {} Pixel an; die Grenze ist {} Pixel je Seite.',
  ],
  [
    'The image claims {} × {} pixels, {} in all; the limit is {}.',
    'Das Bild gibt {} × {} Pixel an, zusammen {}; die Grenze ist {}.',
  ],
  [
    'This {} image is in high dynamic range, but does not state its primaries, or unusual ones; convert it to standard range first.',
    'Dieses {}-Bild hat hohen Dynamikumfang (HDR), nennt aber seine Grundfarben nicht oder ungewöhnliche; wandeln Sie es zuerst in den üblichen Umfang um.',
  ],
  [
    'This PNG image is in high dynamic range and interlaced, or its colours are listed; convert it to standard range first.',
    'Dieses PNG-Bild hat hohen Dynamikumfang (HDR) und ist verschachtelt gespeichert oder hat eine Farbtabelle; wandeln Sie es zuerst in den üblichen Umfang um.',
  ],
  [
    'This BMP file is coded in a way that is not supported; uncompressed and run-length coded files are supported.',
    'Diese BMP-Datei ist auf eine Weise kodiert, die nicht gelesen wird; gelesen werden unkomprimierte und lauflängenkodierte.',
  ],
  [
    'This HEIF file is coded in a way that is not supported; HEVC (HEIC) and AV1 (AVIF) are supported.',
    'Diese HEIF-Datei ist auf eine Weise kodiert, die nicht gelesen wird; gelesen werden HEVC (HEIC) und AV1 (AVIF).',
  ],
  [
    'This JPEG file is lossless, arithmetic-coded or has more than 8 bits a sample; baseline and progressive JPEG with 8 bits are supported.',
    'Diese JPEG-Datei ist verlustfrei, arithmetisch kodiert oder hat mehr als 8 Bit je Wert; gelesen werden gewöhnliche und progressive JPEG-Dateien mit 8 Bit.',
  ],
  [
    'This TIFF file is coded in a way that is not supported; grey, colour and CMYK files of 8 or 16 bits, uncompressed or compressed by LZW, Deflate, PackBits or JPEG, are supported.',
    'Diese TIFF-Datei ist auf eine Weise kodiert, die nicht gelesen wird; gelesen werden graue, farbige und CMYK-Dateien mit 8 oder 16 Bit, unkomprimiert oder mit LZW, Deflate, PackBits oder JPEG komprimiert.',
  ],
  [
    'The file is a raw image of a camera; develop it to JPEG or TIFF first.',
    'Die Datei ist ein Rohbild einer Kamera; entwickeln Sie es zuerst zu JPEG oder TIFF.',
  ],
  [
    'This TIFF has {} pages; only files of one page are supported.',
    'Diese TIFF-Datei hat {} Seiten; gelesen werden nur Dateien mit einer Seite.',
  ],
  [
    'Results cannot be written as {} here; {} are possible.',
    (name, names) =>
      `Ergebnisse können hier nicht als ${name} geschrieben werden; möglich sind ${all(names)}.`,
  ],
  [
    'The image is too large for a result in {}: at most {} pixels a side.',
    'Das Bild ist zu groß für ein Ergebnis in {}: höchstens {} Pixel je Seite.',
  ],
  [
    'The file holds the images of the lenses of a 360° camera: stitch it to a panorama with the program of the camera first.',
    'Die Datei enthält die Bilder der Objektive einer 360°-Kamera: Fügen Sie sie zuerst mit dem Programm der Kamera zu einem Panorama zusammen.',
  ],
  [
    'The file says that it shows the faces of a cube: convert it to an equirectangular panorama first{}.',
    'Laut Metadaten zeigt die Datei die Seiten eines Würfels: Wandeln Sie sie zuerst in ein equirektangulares Panorama um{}.',
  ],
  [
    'The file says that it shows the images of single lenses: stitch them to a panorama first{}.',
    'Laut Metadaten zeigt die Datei die Bilder einzelner Objektive: Fügen Sie sie zuerst zu einem Panorama zusammen{}.',
  ],
  [
    'The file says that it is a panorama for two eyes: save one of them as a panorama first{}.',
    'Laut Metadaten ist die Datei ein Panorama für zwei Augen: Speichern Sie zuerst eines davon als Panorama{}.',
  ],
  [
    'What the file says of its panorama contradicts itself: correct its metadata{}.',
    'Die Metadaten des Panoramas widersprechen sich: Berichtigen Sie sie{}.',
  ],
  [
    ', or choose format=whole or format=pano:N',
    ', oder wählen Sie in der API `format=whole` oder `format=pano:N`',
  ],
  [
    '`hides[{}]` lies outside the image, which has {} × {} pixels.',
    '`hides[{}]` liegt außerhalb des Bildes, das {} × {} Pixel hat.',
  ],
];

/** What the engine says of videos. */
export const GERMAN_VIDEOS: readonly Translated[] = [
  [
    'The file is {}; {} videos are supported, and others where ffmpeg is installed.',
    (kind, names) =>
      `Die Datei ist ${kind}; gelesen werden Videos in ${all(names)}, andere dort, wo ffmpeg installiert ist.`,
  ],
  [
    'The file is not a video; {} videos are supported.',
    (names) => `Die Datei ist kein Video; gelesen werden Videos in ${all(names)}.`,
  ],
  [
    "The video's coding ({}) is not supported here; it may be where ffmpeg is installed.",
    'Das Format dieses Videos ({}) wird hier nicht gelesen, vielleicht aber dort, wo ffmpeg installiert ist.',
  ],
  [
    'The video is damaged: its frames cannot be decoded.',
    'Das Video ist beschädigt: Seine Einzelbilder lassen sich nicht dekodieren.',
  ],
  [
    'The video is damaged: its structure is corrupt.',
    'Das Video ist beschädigt: Sein Aufbau ist fehlerhaft.',
  ],
  [
    'The video is damaged, or of a coding that ffmpeg cannot read either.',
    'Das Video ist beschädigt oder in einem Format, das auch ffmpeg nicht lesen kann.',
  ],
  [
    'The video is truncated: the file ends too early.',
    'Das Video ist unvollständig: Die Datei endet zu früh.',
  ],
  [
    'The video is truncated: the file ends before its frames do.',
    'Das Video ist unvollständig: Die Datei endet vor den Einzelbildern.',
  ],
  ['The video claims an index that is too large.', 'Das Video gibt ein zu großes Verzeichnis an.'],
  [
    'The video has no index (`moov`): it was not finished or is truncated.',
    'Das Video hat kein Verzeichnis (`moov`): Es wurde nicht fertiggestellt oder ist unvollständig.',
  ],
  [
    "The video is in Dolby Vision profile {}, which only Dolby's own decoders can show; export it in standard range, HLG or HDR10 first.",
    'Das Video hat Dolby Vision, Profil {}, das nur Decoder von Dolby zeigen können; exportieren Sie es zuerst im üblichen Umfang, in HLG oder HDR10.',
  ],
  [
    'The video has an edit list that changes its speed, which is not supported.',
    'Das Video hat eine Schnittliste, die seine Geschwindigkeit ändert; das wird nicht gelesen.',
  ],
  [
    'The video has an edit list that repeats or reorders its parts, which is not supported.',
    'Das Video hat eine Schnittliste, die seine Teile wiederholt oder umstellt; das wird nicht gelesen.',
  ],
  [
    'The video keeps its media in another file, which is never opened.',
    'Das Video hat seinen Inhalt in einer anderen Datei, die nie geöffnet wird.',
  ],
  ['The video is encrypted, which is not supported.', 'Das Video ist verschlüsselt; das wird nicht gelesen.'],
  ['The video has {} frames; the limit is {}.', 'Das Video hat {} Einzelbilder; die Grenze ist {}.'],
  [
    'The video has more than {} frames, which is the limit.',
    'Das Video hat mehr als {} Einzelbilder; das ist die Grenze.',
  ],
  ['The video has no frames.', 'Das Video hat keine Einzelbilder.'],
  ['The file has no video track.', 'Die Datei hat keine Videospur.'],
  ['The video has {} tracks; the limit is {}.', 'Das Video hat {} Spuren; die Grenze ist {}.'],
  [
    'The video claims frames of {} × {} pixels; the limit is {} in all.',
    'Das Video gibt Einzelbilder von {} × {} Pixeln an; die Grenze ist {} insgesamt.',
  ],
  [
    'The video is too long for its size: the limit is {} pixels in all of its frames together.',
    'Das Video ist zu lang für seine Größe: Die Grenze ist {} Pixel in allen Einzelbildern zusammen.',
  ],
  [
    'The video changes the size of its frames, which is not supported.',
    'Das Video ändert die Größe seiner Einzelbilder; das wird nicht gelesen.',
  ],
  [
    'The video states different dynamic ranges (transfers) or colours for its frames, which is not supported; convert all of it to the same first.',
    'Das Video nennt verschiedene Dynamikumfänge oder Farben für seine Einzelbilder; das wird nicht gelesen. Wandeln Sie es zuerst einheitlich um.',
  ],
  [
    'The video changes the description of its coding within the file, which is not supported; convert all of it to the same first.',
    'Das Video ändert innerhalb der Datei die Beschreibung seines Formats; das wird nicht gelesen. Wandeln Sie es zuerst einheitlich um.',
  ],
  [
    'The video is in high dynamic range ({}), but does not state the primaries and the matrix of its colours, or unusual ones; convert it to standard range first.',
    'Das Video hat hohen Dynamikumfang ({}), nennt aber Grundfarben und Matrix seiner Farben nicht oder ungewöhnliche; wandeln Sie es zuerst in den üblichen Umfang um.',
  ],
  [
    'The decoder of this device gives out no pixels in high dynamic range; use another browser, or a server of your own.',
    'Der Decoder dieses Geräts gibt keine Pixel in hohem Dynamikumfang aus; verwenden Sie einen anderen Browser oder einen eigenen Server.',
  ],
  [
    'Parts of the audio cannot be muted here: its coding is {}.',
    'Teile des Tons können hier nicht stummgeschaltet werden: Sein Format ist {}.',
  ],
  [
    'Parts of the audio cannot be muted: it is damaged there.',
    'Teile des Tons können nicht stummgeschaltet werden: Er ist dort beschädigt.',
  ],
  [
    'Text is read in images only: anonymise a video without `text-match` and `text-keep`, which hides all of its text.',
    'Text wird nur in Bildern gelesen: Anonymisieren Sie ein Video ohne `text-match` und `text-keep`; dann wird aller Text verborgen.',
  ],
  [
    'This browser cannot read videos (WebCodecs is missing). Use a current Chrome, Edge, Firefox or Safari, and open the page over https or on the computer that serves it.',
    'Dieser Browser kann keine Videos lesen (WebCodecs fehlt). Verwenden Sie Chrome, Edge, Firefox oder Safari in einer aktuellen Version, und öffnen Sie die Seite über https oder auf dem Computer, der sie bereitstellt.',
  ],
  [
    'This browser cannot write MP4 videos (H.264). Use a current Chrome, Edge or Safari. The method “Detect only” works in this browser.',
    'Dieser Browser kann keine MP4-Videos (H.264) schreiben. Verwenden Sie Chrome, Edge oder Safari in einer aktuellen Version. Die Methode „Nur erkennen“ funktioniert in diesem Browser.',
  ],
  [
    'The converter for this video format could not be loaded. Open the page once with a network connection.',
    'Der Umwandler für dieses Videoformat konnte nicht geladen werden. Öffnen Sie die Seite einmal mit Netzwerkverbindung.',
  ],
  [
    'The video is too long to be converted in the page: its copy would exceed {} GiB. Convert it to MP4 (H.264) before, or use a server.',
    'Das Video ist zu lang, um in der Seite umgewandelt zu werden: Seine Kopie wäre größer als {} GiB. Wandeln Sie es vorher in MP4 (H.264) um, oder verwenden Sie einen Server.',
  ],
  [
    'The video is too long to convert: its temporary copy would exceed the size limit.',
    'Das Video ist zu lang, um umgewandelt zu werden: Seine Kopie wäre größer als erlaubt.',
  ],
  [
    'There is not enough disk space to convert the video.',
    'Der Speicherplatz reicht nicht, um das Video umzuwandeln.',
  ],
  [
    'Videos cannot be processed here: install ffmpeg (with libx264) or the npm package @napi-rs/webcodecs, then start Veil again.',
    'Videos können auf diesem Server nicht verarbeitet werden: Installieren Sie dort ffmpeg (mit libx264) oder das npm-Paket @napi-rs/webcodecs, und starten Sie Veil neu.',
  ],
];
