import type { ObjectClass } from '../catalogue/classes';
import type { HidingMethod } from '../catalogue/methods';
import type { Box } from './boxes';
import type { Region, Shape } from './plan';
import type { Size } from './raster';

/** How an export says that an object was hidden, so that it is hidden in the same way again. */
export type GivenRedaction = Pick<Region, 'cellPx' | 'featherPx'> & { readonly method: HidingMethod };

/** An object that another detector, or an export, names: it is hidden without a search. */
export interface GivenObject {
  readonly objectClass: ObjectClass;
  /** 0..1; 1 where none was given. */
  readonly score: number;
  /** In px of the upright image, inside it. */
  readonly box: Box;
  /** The same for one object in many frames; absent where none was given. */
  readonly trackId?: number;
  /** Absent: the shape of its class. */
  readonly shape?: Shape;
  /** Absent: as the request says. */
  readonly redaction?: GivenRedaction;
}

/** What is known of the file whose objects are given. */
export interface GivenFor {
  readonly kind: 'image' | 'video';
  readonly filename: string;
  /** Upright; absent where it is known only when the file is opened. */
  readonly size?: Size;
  /** Whether the request has areas that are always hidden; absent: no. */
  readonly hasAreas?: boolean;
  /** Of a video; absent where it is not known, or only a part of the video is wanted. */
  readonly frameCount?: number;
}
