/** Program: takes one job of kind `images`, prints its id and never finishes it. Arguments: address, lock in ms. */
import { openQueue } from '../../adapters/queue/open-queue';
import { recordLog } from '../recorded-log';

const [address = '', namespace = '', lockMs = ''] = process.argv.slice(2);
const times = { lockDuration: Number(lockMs), stalledInterval: Number(lockMs) / 2 };
const queue = await openQueue(address, { log: recordLog().log, namespace, times });
queue.consume('images', 1, ({ id }) => {
  console.log(id);
  return new Promise(() => undefined);
});
