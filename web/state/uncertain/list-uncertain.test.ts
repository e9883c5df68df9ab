import { describe, expect, it } from 'vitest';
import type { Box } from '#shared/domain/boxes';
import { ITEM_SIZE, resultWith, stateWith, videoResultWith } from '../../testing/items';
import type { MediaItem, SeenSpan, TrackCourse, TrackMoment } from '../media-item';
import { reduceApp, type AppState } from '../app-reducer';
import { decide } from './decide';
import { rankUncertain } from './list-uncertain';

const BOX: Box = { x1: 100, y1: 100, x2: 140, y2: 150 };
const MOVED: Box = { x1: 120, y1: 100, x2: 160, y2: 150 };
const FAR: Box = { x1: 300, y1: 200, x2: 340, y2: 250 };

const face = (score: number, box = BOX) => ({ objectClass: 'face', score, box }) as const;
const imageWith = (...scores: readonly number[]) =>
  resultWith(
    `task ${scores.join()}`,
    scores.map((score) => face(score)),
  );
const ranked = ({ items }: AppState) => rankUncertain(items);
const rankedScores = (state: AppState) => ranked(state).map(({ score }) => score);

describe('uncertain objects of images', () => {
  it('are those with scores near the threshold on both sides, the nearest first, across all files', () => {
    const state = stateWith({ 'a.jpg': imageWith(0.62, 0.47, 0.99), 'b.jpg': imageWith(0.51, 0.26, 0.71) });
    expect(rankedScores(state)).toEqual([0.51, 0.47, 0.62]);
  });

  it('are measured by the threshold of their class, and left out with their class', () => {
    const result = resultWith('task', [
      { objectClass: 'face', score: 0.9, box: BOX },
      { objectClass: 'license-plate', score: 0.52, box: BOX },
    ]);
    const state = stateWith({ 'a.jpg': result });
    const strict = { ...state.settings, thresholds: { ...state.settings.thresholds, face: 0.88 } };
    const changed = reduceApp(state, { type: 'settings-changed', settings: strict });
    expect(rankedScores(changed)).toEqual([0.9, 0.52]);
    const onlyFaces = reduceApp(changed, {
      type: 'settings-changed',
      settings: { ...strict, classes: ['face'] },
    });
    expect(rankedScores(onlyFaces)).toEqual([0.9]);
  });

  it('are no longer listed after a decision or another change, and are listed again when it is undone', () => {
    const state = stateWith({ 'a.jpg': imageWith(0.51, 0.47) });
    const edited = reduceApp(state, {
      type: 'edited',
      id: 'a.jpg',
      edit: { type: 'changed', id: 1, change: { method: 'blacken' } },
    });
    expect(rankedScores(edited)).toEqual([0.51]);
    const [item] = edited.items;
    const [object] = ranked(edited);
    const after = decide(item!, object!, 'hide');
    expect(rankedScores(reduceApp(edited, { type: 'decided', id: 'a.jpg', after }))).toEqual([]);
    const undone = reduceApp(edited, { type: 'edited', id: 'a.jpg', edit: { type: 'undone' } });
    expect(rankedScores(undone)).toEqual([0.51, 0.47]);
  });

  it('are not listed of files without a finished or editable result', () => {
    const state = stateWith({ 'a.jpg': imageWith(0.51), 'b.jpg': null });
    const { editable: _none, ...fixed } = imageWith(0.52);
    expect(rankedScores(stateWith({ 'a.jpg': { ...imageWith(0.51), hasImage: false } }))).toEqual([]);
    expect(rankedScores(stateWith({ 'a.jpg': fixed }))).toEqual([]);
    const again = reduceApp(state, { type: 'retried', id: 'a.jpg' });
    expect(rankedScores(again)).toEqual([]);
  });
});

const moment = (atS: number, box = BOX, score = 0.95): TrackMoment => ({ atS, score, box });

/** A confident track that begins and ends in the middle of the frame and of the video. */
const COURSE: TrackCourse = {
  ...{ first: moment(1), last: moment(2), beforeS: 0.96, afterS: 2.04 },
  ...{ meanScore: 0.95, gaps: [] },
};
const spanOf = (course: Partial<TrackCourse>, frames = 25): SeenSpan => {
  const whole = { ...COURSE, ...course };
  return { firstS: whole.first.atS, lastS: whole.last.atS, bestS: whole.first.atS, frames, course: whole };
};
const { afterS: _a, ...TO_THE_END } = COURSE;
const { beforeS: _b, ...FROM_THE_START } = COURSE;
const { beforeS: _c, ...WHOLE } = TO_THE_END;
const spanFor = (course: TrackCourse, frames = 25): SeenSpan => ({ ...spanOf({}, frames), course });

const videoWith = (...spans: readonly SeenSpan[]): AppState =>
  stateWith({ 'a.mp4': videoResultWith('task', spans) });
const reasonsOf = (...spans: readonly SeenSpan[]): readonly string[] =>
  ranked(videoWith(...spans)).map(({ reason }) => reason);

describe('uncertain objects of videos', () => {
  it('are places where a confident track begins or ends in the middle of the frame and of the video', () => {
    expect(reasonsOf(spanOf({}))).toEqual(['abrupt-end', 'abrupt-start']);
    expect(reasonsOf(spanFor(TO_THE_END))).toEqual(['abrupt-start']);
    expect(reasonsOf(spanFor(FROM_THE_START))).toEqual(['abrupt-end']);
    expect(reasonsOf(spanFor(WHOLE))).toEqual([]);
  });

  it('are not ends of tracks at the border of the frame, with a low score, or of few frames', () => {
    const { width, height } = ITEM_SIZE;
    const borders: readonly Box[] = [
      { ...BOX, x1: 1 },
      { ...BOX, y1: 2 },
      { ...BOX, x2: width - 1 },
      { ...BOX, y2: height },
    ];
    for (const box of borders) {
      expect(reasonsOf(spanFor({ ...FROM_THE_START, last: moment(2, box) }))).toEqual([]);
    }
    expect(reasonsOf(spanFor({ ...FROM_THE_START, last: moment(2, BOX, 0.3) }))).toEqual([]);
    expect(reasonsOf(spanFor(FROM_THE_START, 2))).toEqual([]);
  });

  it('are short gaps in a track, before its ends: the object is nearly always there', () => {
    const gap = { before: moment(1.2), fromS: 1.24, after: moment(1.4, MOVED) };
    const [first] = ranked(videoWith(spanOf({ gaps: [gap] })));
    expect(first).toMatchObject({ reason: 'gap', atS: 1.24, box: { x1: 100, x2: 160 } });
    expect(first?.target).toMatchObject({
      drawn: { at: 1.24, start: 1.24, end: 1.4 },
    });
    const long = { ...gap, after: moment(9) };
    expect(reasonsOf(spanFor({ ...WHOLE, gaps: [long] }))).toEqual([]);
  });

  it('are frames with fewer objects than their neighbours: a track ends, and another one begins nearby', () => {
    const next = { ...TO_THE_END, first: moment(2.2, MOVED), last: moment(3, MOVED), beforeS: 2.16 };
    expect(reasonsOf(spanFor(FROM_THE_START), spanFor(next))).toEqual(['fewer']);
    const atOnce = { ...next, first: moment(2.04, MOVED), beforeS: 2 };
    expect(reasonsOf(spanFor(FROM_THE_START), spanFor(atOnce))).toEqual([]);
    const elsewhere = { ...next, first: moment(2.2, FAR), last: moment(3, FAR) };
    expect(reasonsOf(spanFor(FROM_THE_START), spanFor(elsewhere)).toSorted()).toEqual([
      'abrupt-end',
      'abrupt-start',
    ]);
  });

  it('are tracks of low scores, until a person has decided about them', () => {
    const state = videoWith(spanFor({ ...WHOLE, meanScore: 0.55 }));
    const [weak] = ranked(state);
    expect(weak).toMatchObject({ reason: 'weak-track', target: { kind: 'track', id: 0 } });
    for (const hidden of [false, true]) {
      const edit = { type: 'changed', id: 0, change: { hidden } } as const;
      expect(ranked(reduceApp(state, { type: 'edited', id: 'a.mp4', edit }))).toEqual([]);
    }
  });

  it('are not listed for tracks without a known course', () => {
    const { course: _none, ...span } = spanOf({});
    expect(reasonsOf(span)).toEqual([]);
  });
});

describe('a new detection', () => {
  it('makes decisions about places of a video open again, because tracks have new numbers', () => {
    const state = videoWith(spanFor(FROM_THE_START));
    const [end] = ranked(state);
    const item = state.items[0] as MediaItem;
    const decided = reduceApp(state, {
      type: 'decided',
      id: 'a.mp4',
      after: decide(item, end!, 'show'),
    });
    expect(ranked(decided)).toEqual([]);
    const result = videoResultWith('next', [spanFor(FROM_THE_START)]);
    const again = [
      { type: 'retried', id: 'a.mp4' } as const,
      { type: 'started', id: 'a.mp4' } as const,
      { type: 'finished', id: 'a.mp4', result } as const,
    ].reduce(reduceApp, decided);
    expect(ranked(again)).toHaveLength(1);
  });
});
