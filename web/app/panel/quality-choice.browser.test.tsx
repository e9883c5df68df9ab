import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { resultWith, SETTINGS, stateWith } from '../../testing/pictures';
import { renderPart } from '../../testing/render-part';
import { useAppState, useServices } from '../services';
import { QualityChoice } from './quality-choice';

const Panel = () => {
  const { store } = useServices();
  const { settings } = useAppState();
  return (
    <QualityChoice
      settings={settings}
      onChange={(changed) => store.send({ type: 'settings-changed', settings: changed })}
    />
  );
};

let store: Awaited<ReturnType<typeof renderPart>>;
beforeEach(async () => {
  store = await renderPart(stateWith({ a: resultWith('task', []) }), () => <Panel />);
});

it('the balanced search is chosen, until the user chooses another', async () => {
  await expect.element(page.getByRole('radio', { name: 'Balanced' })).toBeChecked();
  await userEvent.click(page.getByText('Thorough', { exact: true }));
  await expect.element(page.getByRole('radio', { name: 'Thorough' })).toBeChecked();
  expect(store.get().settings).toEqual({ ...SETTINGS, quality: 'thorough' });
});

it('a search that must be done anew does not touch the picture in view before it is applied', async () => {
  await userEvent.click(page.getByText('Fast', { exact: true }));
  expect(store.get().pictures[0]?.settings).toEqual(SETTINGS);
});

it('heads are hidden where faces are not found if the user says so', async () => {
  await userEvent.click(page.getByRole('checkbox'));
  expect(store.get().settings.hidesHeads).toBe(true);
});
