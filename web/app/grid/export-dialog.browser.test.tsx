import { expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { AppServices } from '../services';
import { resultWith, stateWith } from '../../testing/items';
import { renderPart } from '../../testing/render-part';
import { ExportDialog } from './export-dialog';

const SIGNED = { signature: { public_key: 'ab'.repeat(32) } };

/** Exports one file with its report. @returns the dialog's listener for its end */
const exportWith = async (report: unknown): Promise<() => void> => {
  const onClose = vi.fn<() => void>();
  const anonymiser = {
    file: async () => new Blob(['result'], { type: 'image/jpeg' }),
    report: async () => new Blob([JSON.stringify(report)]),
  } as unknown as AppServices['anonymiser'];
  const state = stateWith({ 'a.jpg': resultWith('task', []) });
  await renderPart(state, () => <ExportDialog items={state.items} onClose={onClose} />, { anonymiser });
  await page.getByRole('button', { name: 'Export 1', exact: true }).click();
  return onClose;
};

it('an export with signed reports closes its dialog', async () => {
  const onClose = await exportWith(SIGNED);
  await expect.poll(() => onClose).toHaveBeenCalled();
});

it('an export whose reports are not signed states it', async () => {
  const onClose = await exportWith({ signature: null });
  await expect.element(page.getByRole('status')).toHaveTextContent('The reports are not signed');
  expect(onClose).not.toHaveBeenCalled();
});
