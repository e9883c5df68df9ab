import { hides } from '../../catalogue/methods';
import { boxHeight, boxWidth, clipBox, outerPixels, type Box } from '../../domain/boxes';
import type { Edits } from '../../domain/edits/edits';
import type { ImageOptions } from '../../domain/options';
import { methodOf, type PlannedRegion, type ReasonLabel, type RedactionPlan } from '../../domain/plan';
import type { Raster } from '../../domain/raster';
import { statedReasons } from '../../domain/stated-reasons';
import { drawText, fillBox, TEXT_HEIGHT, textWidth } from './debug-overlay';

/** Smaller masks have their reason in the log alone. */
const MIN_HEIGHT_PX = 24;
/** Height of a mask, in px, for each px of the font's dots: the text takes a fifth of it. */
const MASK_PX_PER_DOT = 36;

const BLACK = [0, 0, 0] as const;
const WHITE = [255, 255, 255] as const;

/** The code of a hidden object: that of its own edit, or else of its class. */
const codeOf = (
  { object, id, trackId, detection }: PlannedRegion,
  { areas = [], objects = [] }: Edits,
  ofClasses: ReturnType<typeof statedReasons>['ofClasses'],
): string | undefined => {
  const isDrawn = object !== undefined && object < 0;
  const number = trackId ?? object ?? id;
  const edit = isDrawn ? areas[-1 - object] : objects.find((one) => one.id === number);
  return (
    edit?.reason ??
    ofClasses[isDrawn ? (areas[-1 - object]?.type_label ?? detection.objectClass) : detection.objectClass]
  );
};

/** A plan with the codes that are written over its masks. @see labelPlan */
export const withReasonLabels = (plan: RedactionPlan, options: ImageOptions, edits: Edits): RedactionPlan => {
  const { labels: _before, ...rest } = plan;
  const { codes, ofClasses } = statedReasons(edits, options);
  const known = new Set(codes.map(({ code }) => code));
  const labelOf = (box: Box, text: string | undefined): readonly ReasonLabel[] => {
    const inside = outerPixels(clipBox(box, plan.width, plan.height));
    return text !== undefined && known.has(text) && boxHeight(inside) >= MIN_HEIGHT_PX
      ? [{ box: inside, text }]
      : [];
  };
  const labels = [
    ...plan.regions
      .filter((region) => region.shown === undefined && hides(methodOf(region, plan)))
      .flatMap((region) => labelOf(region.detection.box, codeOf(region, edits, ofClasses))),
    ...(plan.areas ?? []).flatMap((area) => labelOf(area.detection.box, area.reason)),
  ];
  return labels.length > 0 ? { ...rest, labels } : rest;
};

/** Writes a code in the middle of its mask, as large as it fits; nothing where it does not. */
const drawLabel = (raster: Raster, { box, text }: ReasonLabel): void => {
  const [width, height] = [boxWidth(box), boxHeight(box)];
  const wanted = Math.max(1, Math.round(height / MASK_PX_PER_DOT));
  const scale = Math.min(wanted, Math.floor(width / (textWidth(text) + 1)));
  if (scale < 1) return;
  const x1 = box.x1 + Math.floor((width - (textWidth(text) + 1) * scale) / 2);
  const y1 = box.y1 + Math.floor((height - (TEXT_HEIGHT + 2) * scale) / 2);
  fillBox(
    raster,
    { x1, y1, x2: x1 + (textWidth(text) + 1) * scale, y2: y1 + (TEXT_HEIGHT + 2) * scale },
    BLACK,
  );
  drawText(text, scale, (dx, dy) => {
    const [x, y] = [x1 + scale + dx, y1 + scale + dy];
    fillBox(raster, { x1: x, y1: y, x2: x + 1, y2: y + 1 }, WHITE);
  });
};

/** Writes the codes of a plan over its masks, in place. */
export const drawReasonLabels = (raster: Raster, labels: readonly ReasonLabel[]): void => {
  for (const label of labels) drawLabel(raster, label);
};
