import { LIMITS } from '#shared/domain/limits';
import { isVideo, type MediaItem, type MediaResult } from './media-item';
import type { AppEvent, AppState } from './app-reducer';
import { type Store, workThrough } from './store';
import { captureFrame } from './video-still';
import type { Anonymiser } from './work';

/** Twice the displayed size, for dense displays. */
const SIDE_PX = 160;

/** Rejects images with too many pixels by their header: an `<img>` knows its size before it is decoded. */
const isModest = async (url: string): Promise<boolean> => {
  const image = new Image();
  image.src = url;
  await new Promise((resolve, reject) => {
    image.onload = resolve;
    image.onerror = reject;
  });
  return image.naturalWidth * image.naturalHeight <= LIMITS.maxPixels;
};

const bitmapOf = async (file: Blob, url: string, isOfVideo: boolean): Promise<ImageBitmap | undefined> => {
  if (isOfVideo) return captureFrame(url);
  return (await isModest(url)) ? createImageBitmap(file) : undefined;
};

/** Square from the centre of the image or video. */
const shrink = async (file: Blob, isOfVideo: boolean): Promise<Blob | undefined> => {
  const url = URL.createObjectURL(file);
  try {
    const bitmap = await bitmapOf(file, url, isOfVideo);
    if (!bitmap) return undefined;
    const side = Math.min(bitmap.width, bitmap.height);
    const canvas = new OffscreenCanvas(SIDE_PX, SIDE_PX);
    const context = canvas.getContext('2d');
    if (!context) return undefined;
    context.imageSmoothingQuality = 'high';
    const [left, top] = [(bitmap.width - side) / 2, (bitmap.height - side) / 2];
    context.drawImage(bitmap, left, top, side, side, 0, 0, SIDE_PX, SIDE_PX);
    bitmap.close();
    return await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.8 });
  } catch {
    return undefined; // The item's own status shows the error.
  } finally {
    URL.revokeObjectURL(url);
  }
};

/** What the thumbnail shows: the anonymised file as soon as it exists. */
const wantedSource = ({ result }: MediaItem): MediaResult | 'original' =>
  result?.hasImage ? result : 'original';

const nextWanted = (
  { items }: AppState,
  given: ReadonlyMap<string, MediaResult | 'original'>,
): MediaItem | undefined =>
  items.find((item) => item.status !== 'failed' && given.get(item.id) !== wantedSource(item));

/**
 * Creates thumbnails one after another, and frees those of removed files.
 *
 * @param displayable gives an image that browsers can show
 */
export const startThumbnails = (
  store: Store<AppState, AppEvent>,
  anonymiser: Anonymiser,
  displayable: (file: File) => Promise<Blob>,
): void => {
  /** The source of each item's last thumbnail, whether or not it could be created. */
  const given = new Map<string, MediaResult | 'original'>();
  let shown = new Set<string>();

  const release = (): void => {
    const still = new Set(store.get().items.flatMap(({ thumbnailUrl }) => thumbnailUrl ?? []));
    for (const url of shown) if (!still.has(url)) URL.revokeObjectURL(url);
    shown = still;
    const ids = new Set(store.get().items.map(({ id }) => id));
    for (const id of given.keys()) if (!ids.has(id)) given.delete(id);
  };
  const make = async (item: MediaItem): Promise<void> => {
    const source = wantedSource(item);
    given.set(item.id, source);
    const { result } = item;
    const original = (): Promise<Blob> | Blob => (isVideo(item) ? item.file : displayable(item.file));
    const file = await (result?.hasImage ? anonymiser.file(result).catch(() => undefined) : original());
    const thumbnail = file && (await shrink(file, isVideo(item)));
    if (!thumbnail) return;
    const isKept = store.get().items.some(({ id }) => id === item.id);
    if (isKept) store.send({ type: 'thumbnail-made', id: item.id, url: URL.createObjectURL(thumbnail) });
  };
  store.subscribe(release);
  workThrough(store, () => nextWanted(store.get(), given), make);
};
