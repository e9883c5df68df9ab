import { UnreadableFile } from '../../domain/failure';
import { hasCharacters } from '../../engine/formats/bytes';
import { recogniseBag } from '../../engine/formats/recognise';

/** Bags of other formats, with the command that converts them. */
const OTHER_BAGS = [
  ['#ROSBAG V', /./, 'a ROS 1 bag', 'mcap convert in.bag out.mcap'],
  [
    'SQLite format 3',
    /\.db3$/i,
    'a ROS 2 bag of SQLite',
    'ros2 bag convert, or mcap convert in.db3 out.mcap',
  ],
] as const;

/** The refusal of a bag of another format; undefined: it is none. */
export const otherBag = (name: string, head: Uint8Array): UnreadableFile | undefined => {
  const bag = OTHER_BAGS.find(([start, ending]) => hasCharacters(head, 0, start) && ending.test(name));
  return bag && new UnreadableFile(`The file is ${bag[2]}; convert it to MCAP first: ${bag[3]}.`);
};

/** Whether a file is a bag, of any format. @param head its first bytes */
export const isAnyBag = (name: string, head: Uint8Array): boolean =>
  (recogniseBag(head) ?? otherBag(name, head)) !== undefined;
