import { outerPixels } from '#shared/domain/boxes';
import { panelSettings } from '#shared/catalogue/derive-parameters';
import {
  type AreaEdit,
  type Edits,
  type ObjectEdit,
  hidingOf,
  ignoredArea,
  ignoredBox,
  mutedPartOf,
  mutedRangeOf,
  wholePixels,
} from '#shared/domain/edits/edits';
import { boundsOf, cornersIn, type HiddenArea } from '#shared/domain/hidden-areas';
import { thresholdIn, type ImageOptions } from '#shared/domain/options';
import type { Size } from '#shared/domain/raster';
import { statedReasons } from '#shared/domain/stated-reasons';
import type { DrawnArea, ItemEdits } from './edit-history';
import { isSameState } from './history';
import { NOTHING_STATED, statedEdits, type Settings } from './settings';
import type { VideoEdits } from './video-edits';
import type { WantedEdits } from './wanted-edits';

const withoutKey = ({ key: _ofPage, ...area }: DrawnArea): AreaEdit => area;

/** Areas that are always hidden; a box has whole pixels, which cover it. */
const hidesOf = ({ hides }: Pick<ItemEdits, 'hides'>): Pick<Edits, 'hides'> =>
  hides
    ? {
        hides: hides.map(({ key: _ofPage, ...area }) =>
          'points' in area ? area : { ...area, ...ignoredArea(outerPixels(ignoredBox(area))) },
        ),
      }
    : {};

/** Without reasons that the list does not have: it may have been replaced. */
const withKnownReasons = ({
  reasons = [],
  objects = [],
  areas = [],
  hides,
  mute,
  ...edits
}: Edits): Edits => {
  const codes = new Set(reasons.map(({ code }) => code));
  const known = <Entry extends { readonly reason?: string }>(entry: Entry): Entry => {
    const { reason, ...others } = entry;
    return reason === undefined || codes.has(reason) ? entry : (others as Entry);
  };
  return {
    ...edits,
    ...(edits.case && { reasons }),
    objects: objects.map(known),
    areas: areas.map(known),
    ...(hides && { hides: hides.map(known) }),
    ...(mute && { mute: mute.map((range) => mutedRangeOf(known(mutedPartOf(range)))) }),
  };
};

/** The request for an image with these settings and edits. */
export const imageRequest = ({ settings, edits }: WantedEdits): Edits =>
  withKnownReasons({
    ...statedEdits(settings),
    method: settings.method,
    methods: { ...settings.methods },
    classes: settings.classes,
    thresholds: Object.fromEntries(
      settings.classes.map((name) => [name, thresholdIn(settings.thresholds, name)]),
    ),
    objects: edits.objects,
    areas: edits.areas.map(withoutKey),
    ignores: edits.ignores.map(wholePixels),
    ...hidesOf(edits),
    keep_metadata: settings.keepMetadata ?? false,
    ...(settings.show !== undefined && { show: settings.show }),
  });

/** The request for a video. */
export const videoRequest = ({ ignores: _onlyOfImages, areas, hides, ...edits }: VideoEdits): Edits =>
  withKnownReasons({
    ...edits,
    areas: areas.map(withoutKey),
    ...hidesOf({ ...(hides && { hides }) }),
  });

const saysWhy = (options: ImageOptions, edits: Edits): boolean =>
  !isSameState(statedReasons(edits, options), NOTHING_STATED);

/** The settings that a result shows: those of its edits, or else of its upload. */
export const settingsOf = (options: ImageOptions, edits: Edits): Settings => ({
  ...panelSettings(options),
  ...(saysWhy(options, edits) && { stated: statedReasons(edits, options) }),
  ...hidingOf(edits, options),
  keepMetadata: edits.keep_metadata ?? options.keepMetadata ?? false,
  guessesSpheres: options.format.kind === 'guess' || options.format.kind === 'pano',
});

/** Edits that name frames have times, too. */
const withoutFrames = <Entry extends ObjectEdit | AreaEdit>(entry: Entry): Entry => {
  const {
    from: _first,
    to: _last,
    frame: _drawn,
    found: _there,
    ...timed
  } = entry as Entry & AreaEdit & ObjectEdit;
  return timed as unknown as Entry;
};

/** An area in px. */
const inPx = ({ unit, ...area }: HiddenArea, size: Size): HiddenArea => {
  if (unit === undefined) return area;
  const points = cornersIn({ ...area, unit }, size);
  if ('points' in area) return { ...area, points };
  return { ...area, ...ignoredArea(boundsOf(points)) };
};

/** The edits that a result shows. @param size of the image */
export const itemEditsOf = (
  { ignores: uploaded, hides: uploadedHides }: ImageOptions,
  { objects = [], areas = [], ignores, hides = uploadedHides, mute }: Edits,
  size: Size,
): ItemEdits => {
  const kept = ignores ?? uploaded.map(({ x, y, ...size }) => ({ topLeftX: x, topLeftY: y, ...size }));
  return {
    objects: objects.map(withoutFrames),
    areas: areas.map((area, i) => ({ ...withoutFrames(area), key: -1 - i })),
    ignores: kept.map((area, i) => ({ ...area, key: -1 - areas.length - i })),
    ...(hides && {
      hides: hides.map((area, i) => ({ ...inPx(area, size), key: -1 - areas.length - kept.length - i })),
    }),
    ...(mute && { mute }),
  };
};
