import { expect, it } from 'vitest';
import type { ListedTopic, TopicKind } from '#shared/domain/bag';
import { bagOptionsOf, choicesOf, undecided } from './bag-choices';

const topic = (kind: TopicKind, name: string = kind): ListedTopic => ({
  ...{ name, kind, schemas: [], encodings: [], messages: 1, durationS: 0 },
});
const ALL = [topic('images'), topic('depth'), topic('unread'), topic('other')];

it('somebody has to choose for topics that show something and are not anonymised', () => {
  expect(undecided(ALL, {})).toEqual(['depth', 'unread']);
  expect(undecided(ALL, { depth: 'drop', unread: 'keep' })).toEqual([]);
  for (const kind of ['depth', 'unread'] as const) expect(choicesOf({ kind })).not.toContain('hide');
});

it('the name of a topic cannot be taken for a choice', () => {
  expect(undecided([topic('unread', 'constructor')], {})).toEqual(['constructor']);
});

it('choices become the options of the command line; what shows nothing need not be named to stay', () => {
  expect(bagOptionsOf(ALL, { depth: 'keep', unread: 'drop' }, false)).toEqual({
    ...{ dropTopics: ['unread'], keepTopics: ['depth'], keepDepth: false, keepAttachments: false },
  });
  expect(bagOptionsOf(ALL, { images: 'keep', depth: 'drop', unread: 'drop', other: 'drop' }, true)).toEqual({
    ...{ dropTopics: ['depth', 'unread', 'other'], keepTopics: ['images'] },
    ...{ keepDepth: false, keepAttachments: true },
  });
});
