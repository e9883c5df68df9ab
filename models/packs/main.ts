/** `npm run models -- <command>`: `veil models <command>` from the sources, without a build. */
import { join } from 'node:path';
import { endWhenOutputCloses } from '../../server/end-when-output-closes';
import { main } from '../../server/main';

endWhenOutputCloses();
await main(['models', ...process.argv.slice(2)], join(import.meta.dirname, '../..'));
