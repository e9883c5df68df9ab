import type { Random } from '../video/random';
import { drawText, type TextLine, type TextImage } from './draw-text';
import { addNoise, fill } from './text-content';

/** A script, with words and fonts that have all its characters. */
interface Script {
  readonly name: string;
  readonly fonts: readonly string[];
  readonly words: string;
  /** Between words. */
  readonly space: string;
}

const SCRIPTS: readonly Script[] = [
  {
    name: 'Cyrillic',
    fonts: ['DejaVu Sans', 'DejaVu Serif', 'Nimbus Sans', 'Nimbus Roman'],
    words: 'улица станция дом больница договор счёт пациент адрес телефон Иванова школа почта билет закрыто',
    space: ' ',
  },
  {
    name: 'Greek',
    fonts: ['DejaVu Sans', 'DejaVu Serif', 'Nimbus Sans', 'Nimbus Roman'],
    words: 'οδός σταθμός νοσοκομείο συμβόλαιο λογαριασμός διεύθυνση τηλέφωνο σχολείο εισιτήριο κλειστό όνομα',
    space: ' ',
  },
  {
    name: 'Arabic',
    fonts: ['DejaVu Sans'],
    words: 'شارع محطة مستشفى عقد فاتورة مريض عنوان هاتف مدرسة بريد تذكرة مغلق مفتوح حساب',
    space: ' ',
  },
  {
    name: 'Hebrew',
    fonts: ['DejaVu Sans'],
    words: 'רחוב תחנה חוזה חשבון כתובת טלפון דואר כרטיס סגור פתוח מטופל משרד',
    space: ' ',
  },
  {
    name: 'Chinese',
    fonts: ['Droid Sans Fallback'],
    words: '街道 车站 医院 合同 发票 病人 地址 电话 学校 邮局 车票 关闭 密码 会议 客户 余额',
    space: '',
  },
  {
    name: 'Japanese',
    fonts: ['Droid Sans Fallback'],
    words:
      '駅 病院 けいやく せいきゅう かんじゃ 住所 でんわ 学校 ゆうびん きっぷ ホテル パスワード 会議 おきゃくさま',
    space: '',
  },
  {
    name: 'Devanagari',
    fonts: ['Noto Sans Devanagari'],
    words: 'सड़क स्टेशन अस्पताल अनुबंध बिल रोगी पता फ़ोन विद्यालय डाक टिकट बंद खुला खाता',
    space: ' ',
  },
  {
    name: 'Thai',
    fonts: ['Noto Sans Thai'],
    words: 'ถนน สถานี โรงพยาบาล สัญญา ใบแจ้งหนี้ ผู้ป่วย ที่อยู่ โทรศัพท์ โรงเรียน ตั๋ว ปิด เปิด บัญชี',
    space: ' ',
  },
  {
    name: 'handwriting-like fonts',
    fonts: ['Caveat', 'Z003'],
    words:
      'call Anna tomorrow about the contract password Keller meeting Monday doctor rent key neighbour pay 4711',
    space: ' ',
  },
];

const SIZES_PX = [10, 12, 14, 18, 24, 32] as const;
const COLOURS = [
  ['#15151a', '#f6f4ec'],
  ['#e6e6e6', '#20242c'],
] as const;
const LINES_PER_SIZE = 4;
const NOISE = 8;

/** Lines of all sizes in two columns, one on a bright page and one on a dark screen, level and turned by 8°. */
const drawScript = async (random: Random, { name, fonts, words, space }: Script): Promise<TextImage> => {
  const [width, height] = [1600, 1200];
  const all = words.split(' ');
  let y = 0;
  const lines = SIZES_PX.flatMap((sizePx) =>
    Array.from({ length: LINES_PER_SIZE }, (_, i): TextLine => {
      if (i % 2 === 0) y += 40 + 2.1 * sizePx;
      const [column, isTurned] = [i % 2, i >= 2];
      return {
        text: Array.from({ length: 4 }, () => random.pick(all)).join(space),
        font: random.pick(fonts),
        sizePx,
        colour: COLOURS[column]![0],
        x: 400 + 800 * column + random.between(-60, 60),
        y: y + 10,
        degrees: isTurned ? 8 : 0,
      };
    }),
  );
  const [left, right] = COLOURS.map(([, ground]) => ground);
  const background = `${fill(width, height, left!)}<rect x="800" width="800" height="${height}" fill="${right}"/>`;
  const drawn = await drawText({ width, height, background, lines });
  return { ...drawn, raster: addNoise(drawn.raster, random, NOISE), group: `script: ${name}` };
};

/** One image for each script. */
export async function* drawScripts(random: Random): AsyncGenerator<TextImage> {
  for (const script of SCRIPTS) yield await drawScript(random, script);
}
