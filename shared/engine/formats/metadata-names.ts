import {
  type MetadataKind,
  type TrackCounts,
  type FoundInVideo,
  METADATA_KINDS,
} from '../../domain/image-header';

/** Kinds in the order in which they are listed for people. */
export const kindsInOrder = (found: ReadonlySet<MetadataKind>): readonly MetadataKind[] =>
  METADATA_KINDS.filter((kind) => found.has(kind));

export const videoMetadata = (kinds: ReadonlySet<MetadataKind>, tracks: TrackCounts): FoundInVideo => ({
  sourceMetadata: kindsInOrder(kinds),
  sourceTracks: tracks,
});

/** Kinds by parts of the names that containers give their entries; the first match counts. */
const KINDS: readonly (readonly [name: RegExp, kind: MetadataKind])[] = [
  [/location|gps|latitude|longitude/, 'place'],
  [/artwork|thumbnail|cover/, 'thumbnail'],
  [/\b(make|model)|camera|lens|software|firmware|version|device|manufacturer|encode[rd]/, 'device'],
  [/creation_?(date|time)/, 'capture-time'],
  [/date|time/, 'time'],
  [/title|comment|artist|author|description|keyword|copyright|name|album|genre|summary|synopsis/, 'text'],
];

/** The first part of names of QuickTime, which contains the word time. */
const PREFIX = /^com\.apple\.quicktime\./;

/** The kind of an entry with a name, such as `com.apple.quicktime.location.ISO6709`. */
export const kindOfName = (name: string): MetadataKind => {
  const own = name.toLowerCase().replace(PREFIX, '');
  return KINDS.find(([pattern]) => pattern.test(own))?.[1] ?? 'other';
};
