import type { Place } from '../../../domain/kept-in-video';
import { viewOf } from '../bytes';

/** A reserved number and the type of the packet, in front of its fields. */
const HEADER_BYTES = 4;
const F64_BYTES = 8;
/** Position; the only packets of results. */
const PLACE = 5;
export const PLACE_PACKET_BYTES = HEADER_BYTES + 3 * F64_BYTES;
/** Position with its time, fix, accuracy and speed. */
const GPS = 6;
const GPS_PACKET_BYTES = 60;
/** Of the fix, the latitude and the altitude in the second type. The altitude is a number of 4 bytes. */
const GPS_AT = { fix: 12, latitude: 16, longitude: 24, altitude: 32 } as const;

/** Whether a packet of this length can have a position: those of other sensors need not be read. */
export const canBePlace = (byteLength: number): boolean =>
  byteLength === PLACE_PACKET_BYTES || byteLength === GPS_PACKET_BYTES;

/**
 * Reads the position of a packet of camera motion metadata; undefined for packets of other sensors and without a fix.
 *
 * @see https://developers.google.com/streetview/publish/camm-spec
 */
export const cammPlace = (packet: Uint8Array): Place | undefined => {
  const view = viewOf(packet);
  const type = view.getUint16(2, true);
  const number = (at: number): number => view.getFloat64(at, true);
  if (type === PLACE && packet.byteLength === PLACE_PACKET_BYTES) {
    const [latitude, longitude, altitude] = [0, 1, 2].map((i) => number(HEADER_BYTES + i * F64_BYTES));
    return { latitude: latitude!, longitude: longitude!, altitude: altitude! };
  }
  if (type !== GPS || packet.byteLength !== GPS_PACKET_BYTES) return undefined;
  if (view.getInt32(GPS_AT.fix, true) === 0) return undefined;
  return {
    latitude: number(GPS_AT.latitude),
    longitude: number(GPS_AT.longitude),
    altitude: view.getFloat32(GPS_AT.altitude, true),
  };
};

/** Packets with these places, one after another. */
export const placePackets = (places: readonly Required<Place>[]): Uint8Array => {
  const bytes = new Uint8Array(places.length * PLACE_PACKET_BYTES);
  const view = viewOf(bytes);
  for (const [i, { latitude, longitude, altitude }] of places.entries()) {
    const at = i * PLACE_PACKET_BYTES;
    view.setUint16(at + 2, PLACE, true);
    view.setFloat64(at + HEADER_BYTES, latitude, true);
    view.setFloat64(at + HEADER_BYTES + F64_BYTES, longitude, true);
    view.setFloat64(at + HEADER_BYTES + 2 * F64_BYTES, altitude, true);
  }
  return bytes;
};
