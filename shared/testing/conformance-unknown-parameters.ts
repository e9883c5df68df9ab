import {
  STRICT_HOST,
  jsonOf,
  must,
  mustBe,
  mustHaveStatus,
  mustRefuse,
  type ConformanceCase,
} from './conformance';
import { get, upload } from './conformance-steps';

interface Noticed {
  readonly id: string;
  readonly ignored_parameters?: readonly string[];
}

/** What each place says of the parameters that were ignored. */
const placesOf = async (send: Parameters<ConformanceCase['run']>[0], query: string) => {
  const { id, ignored_parameters: answered } = jsonOf<Noticed>(await upload(send, { query }));
  const record = jsonOf<Noticed>(await get(send, `/v1/task/${id}`));
  const report = jsonOf<Noticed>(await get(send, `/v1/file/${id}/report`));
  return [answered, record.ignored_parameters, report.ignored_parameters];
};

/** Mistyped names, and the name that is meant. */
const MISTYPED = [
  ['license-plates=True&face=True', 'license-plate'],
  ['licence_plate=True', 'license-plate'],
  ['licensePlate=True', 'license-plate'],
  ['Faces=True', 'face'],
  ['FACE=True', 'face'],
  ['tetx=True', 'text'],
  ['box=True', 'bbox'],
  ['vehicle-treshold=0.3', 'vehicle-threshold'],
  ['keep-bitrate=True', 'keep-bit-rate'],
  ['web-auth-header-names=x', 'web-auth-header-name'],
] as const;

/** Parameters that the API does not have. */
export const UNKNOWN_PARAMETER_CASES: readonly ConformanceCase[] = [
  ...MISTYPED.map(([query, name]): ConformanceCase => ({
    rule: `an upload with a mistyped parameter is refused, and the sentence names the right one: ${query}`,
    run: async (send) =>
      mustRefuse(await upload(send, { query }), 422, new RegExp(`not a parameter.*did you mean \`${name}\``)),
  })),
  {
    rule: 'a request with a mistyped parameter is refused on every path',
    run: async (send) => {
      const answer = await send({
        method: 'DELETE',
        url: '/v1/task/list?confirm=true&delete_scop=only-files',
      });
      mustRefuse(answer, 422, /did you mean `delete-scope`/);
    },
  },
  {
    rule: 'other unknown parameters are listed in the answer, the record and the report, as they were sent',
    run: async (send) => {
      const sent = ['watermark', 'save_mask', 'quality', '<b>&"'];
      const query = sent.map((name) => `${encodeURIComponent(name)}=1`).join('&');
      for (const listed of await placesOf(send, `face=True&${query}&empty=`)) {
        mustBe(listed, sent, 'the ignored parameters');
      }
    },
  },
  {
    rule: 'nothing is listed where no parameter is unknown',
    run: async (send) => {
      mustBe(
        await placesOf(send, 'face=True&watermark='),
        [undefined, undefined, undefined],
        'what is listed',
      );
    },
  },
  {
    rule: 'at most twenty ignored parameters are listed, each by at most 64 printable characters',
    run: async (send) => {
      const long = encodeURIComponent(`\u0000${'\u{1F600}'.repeat(100)}`);
      const names = [long, ...Array.from({ length: 50 }, (_, index) => `number-${index}`)];
      for (const listed of await placesOf(send, names.map((name) => `${name}=1`).join('&'))) {
        mustBe(listed?.length, 20, 'the number of names');
        mustBe(listed?.[0], `?${'\u{1F600}'.repeat(63)}`, 'a long name');
      }
    },
  },
  {
    rule: 'a service with strict parameters refuses every unknown one',
    host: STRICT_HOST,
    run: async (send) => {
      mustRefuse(
        await upload(send, { query: 'watermark=False' }),
        422,
        /"watermark" is not a known parameter/,
      );
      mustRefuse(await upload(send, { query: 'license-plates=True' }), 422, /did you mean/);
      const accepted = await upload(send, { query: 'save_mask=&license_plate=True' });
      mustHaveStatus(accepted, 200);
      must(!('ignored_parameters' in jsonOf<Noticed>(accepted)), 'no list', jsonOf(accepted));
    },
  },
];
