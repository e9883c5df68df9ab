import {
  must,
  mustBe,
  mustHaveStatus,
  mustRefuse,
  type Answer,
  type ConformanceCase,
  type Send,
} from './conformance';
import { filePart, get, uploadedId } from './conformance-steps';

const headersOf = ({ headers }: Answer, ...names: readonly string[]) => names.map((name) => headers[name]);
const getWith = (send: Send, url: string, headers: Readonly<Record<string, string>>): Promise<Answer> =>
  send({ method: 'GET', url, headers });

/** All kinds of downloads: stored files, and files that are rendered for the request. */
const DOWNLOADS = [
  ['anonymised', 'ramps-anonymised.jpg'],
  ['anonymised?download=PNG', 'ramps-anonymised.png'],
  ['binary-mask', 'ramps_bin_mask.png'],
  ['instance-mask?mask-scale=50', 'ramps_ins_mask.png'],
  ['metadata', 'ramps.json'],
] as const;

/** Checks a rule on each download of one upload. */
const onEachDownload =
  (check: (send: Send, url: string, whole: Answer, name: string) => Promise<void>) =>
  async (send: Send): Promise<void> => {
    const id = await uploadedId(send);
    for (const [path, name] of DOWNLOADS) {
      const url = `/v1/file/${id}/${path}`;
      const whole = await get(send, url);
      mustHaveStatus(whole, 200);
      await check(send, url, whole, name);
    }
  };

const mustBePart = (answer: Answer, whole: Answer, start: number, end: number): void => {
  mustHaveStatus(answer, 206);
  mustBe(
    headersOf(answer, 'content-range', 'content-length', 'content-type', 'etag'),
    [
      `bytes ${start}-${end - 1}/${whole.body.byteLength}`,
      String(end - start),
      whole.headers['content-type'],
      whole.headers['etag'],
    ],
    'the headers of a part',
  );
  mustBe([...answer.body], [...whole.body.subarray(start, end)], 'the bytes');
};

const DISPOSITION =
  /^inline; filename="[\w .()+,=@-]+"(; filename\*=UTF-8''(?:[\w.~!$&+^`|#-]|%[\dA-F]{2})+)?$/;

/** Hostile names and names outside ASCII, with the header that suggests a name for saving. */
const NAMES = [
  [
    'Straße 東京.jpg',
    'filename="Stra_e __-anonymised.jpg"; filename*=UTF-8\'\'Stra%C3%9Fe%20%E6%9D%B1%E4%BA%AC-anonymised.jpg',
  ],
  ['../../etc/passwd.jpg', 'filename="passwd-anonymised.jpg"'],
  ['...hidden.jpg', 'filename="hidden-anonymised.jpg"'],
  ["a;b='c'.jpg", 'filename="a_b=_c_-anonymised.jpg"; filename*=UTF-8\'\'a%3Bb%3D%27c%27-anonymised.jpg'],
] as const;

export const DOWNLOAD_CASES: readonly ConformanceCase[] = [
  {
    rule: 'a download has headers for its length, its name, privacy and ranges',
    run: onEachDownload(async (_send, _url, whole, name) => {
      mustBe(
        headersOf(
          whole,
          'content-length',
          'content-disposition',
          'accept-ranges',
          'cache-control',
          'x-content-type-options',
          'cross-origin-resource-policy',
        ),
        [
          ...[String(whole.body.byteLength), `inline; filename="${name}"`, 'bytes'],
          ...['no-store', 'nosniff', 'same-origin'],
        ],
        'the headers',
      );
    }),
  },
  {
    rule: 'a download has a strong entity tag, which is equal only for equal bytes',
    run: async (send) => {
      const tags = new Set<string>();
      const bodies = new Set<string>();
      const noteTag = onEachDownload(async (_send, url, { headers, body }) => {
        bodies.add(body.toString());
        must(/^"[\w-]+"$/.test(headers['etag'] ?? ''), 'a strong entity tag', headers);
        tags.add(headers['etag'] ?? '');
        mustBe((await get(send, url)).headers['etag'], headers['etag'], 'the tag of the same download');
      });
      await noteTag(send);
      mustBe(tags.size, bodies.size, 'the number of tags');
    },
  },
  {
    rule: 'equal downloads of different uploads have equal entity tags',
    run: async (send) => {
      const ids = [await uploadedId(send), await uploadedId(send)];
      for (const [path] of DOWNLOADS) {
        const [one, other] = await Promise.all(ids.map((id) => get(send, `/v1/file/${id}/${path}`)));
        const areSame = (one?.body ?? []).toString() === (other?.body ?? []).toString();
        mustBe(
          one?.headers['etag'] === other?.headers['etag'],
          areSame,
          `that the tags of ${path} are alike`,
        );
      }
    },
  },
  {
    rule: 'a download whose entity tag the client has is not sent again',
    run: onEachDownload(async (send, url, { headers: { etag = '' } }) => {
      for (const known of [etag, `W/${etag}`, `"other" , ${etag}`, '*']) {
        const answer = await getWith(send, url, { 'if-none-match': known, range: 'bytes=0-1' });
        mustHaveStatus(answer, 304);
        mustBe([answer.body.byteLength, answer.headers['etag']], [0, etag], 'body and tag');
      }
      for (const other of ['"other"', etag.replaceAll('"', ''), 'W/']) {
        mustHaveStatus(await getWith(send, url, { 'if-none-match': other }), 200);
      }
    }),
  },
  {
    rule: 'a range request gets only this part of a download',
    run: onEachDownload(async (send, url, whole) => {
      const all = whole.body.byteLength;
      for (const [range, start, end] of [
        ['bytes=0-0', 0, 1],
        ['bytes=10-29', 10, 30],
        ['Bytes=10-', 10, all],
        ['bytes=-10', all - 10, all],
        [`bytes=${all - 1}-`, all - 1, all],
        ['bytes=5-99999999999999999999', 5, all],
        ['bytes=-99999999999999999999', 0, all],
      ] as const) {
        mustBePart(await getWith(send, url, { range }), whole, start, end);
      }
    }),
  },
  {
    rule: 'a range outside of the download is 416',
    run: onEachDownload(async (send, url, { body: { byteLength } }) => {
      for (const range of [`bytes=${byteLength}-`, 'bytes=99999999999999999999-', 'bytes=-0']) {
        const answer = await getWith(send, url, { range });
        mustRefuse(answer, 416, String(byteLength));
        mustBe(answer.headers['content-range'], `bytes */${byteLength}`, 'content-range');
      }
    }),
  },
  {
    rule: 'a range that is malformed, one of several or of another unit is ignored',
    run: onEachDownload(async (send, url, whole) => {
      for (const range of [
        'bytes=9-2',
        'bytes=-',
        'bytes=a-b',
        'bytes=0-1,4-5',
        'lines=0-1',
        'bytes',
        '0-1',
      ]) {
        const answer = await getWith(send, url, { range });
        mustHaveStatus(answer, 200);
        mustBe(answer.body.byteLength, whole.body.byteLength, 'the length');
      }
    }),
  },
  {
    rule: "a range with If-Range is ignored unless that has the download's entity tag",
    run: onEachDownload(async (send, url, whole) => {
      const { etag = '' } = whole.headers;
      mustBePart(await getWith(send, url, { range: 'bytes=1-2', 'if-range': etag }), whole, 1, 3);
      for (const other of ['"other"', `W/${etag}`, 'Thu, 01 Jan 2026 12:00:00 GMT']) {
        mustHaveStatus(await getWith(send, url, { range: 'bytes=1-2', 'if-range': other }), 200);
      }
    }),
  },
  {
    rule: 'HEAD of a download has the headers of the whole download, and no body',
    run: onEachDownload(async (send, url, whole) => {
      for (const headers of [{}, { range: 'bytes=0-1' }, { range: 'bytes=99999999-' }]) {
        const head = await send({ method: 'HEAD', url, headers });
        mustHaveStatus(head, 200);
        const names = ['content-type', 'content-length', 'content-disposition', 'accept-ranges', 'etag'];
        mustBe(headersOf(head, ...names), headersOf(whole, ...names), 'the headers');
        mustBe(head.body.byteLength, 0, 'the length of the body');
      }
      const known = { 'if-none-match': whole.headers['etag'] ?? '' };
      mustHaveStatus(await send({ method: 'HEAD', url, headers: known }), 304);
    }),
  },
  {
    rule: 'a download is named after its upload, and a hostile name breaks neither header nor folder',
    run: async (send) => {
      for (const [uploaded, saved] of NAMES) {
        const id = await uploadedId(send, { parts: [filePart(undefined, uploaded)] });
        const { headers } = await get(send, `/v1/file/${id}/anonymised`);
        const disposition = headers['content-disposition'] ?? '';
        must(DISPOSITION.test(disposition), 'a well-formed header', disposition);
        mustBe(disposition, `inline; ${saved}`, 'the name');
      }
    },
  },
];
