import { useState, type ReactElement } from 'react';
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { resultWith, stateWith } from '../../testing/items';
import { renderPart } from '../../testing/render-part';
import { Notice, NoticeStack } from './notice';

const state = stateWith({ a: resultWith('task', []) });

const Later = (): ReactElement => {
  const [text, setText] = useState('');
  return (
    <div data-testid="around">
      <Notice variant="box" role="status">
        {text}
      </Notice>
      <button onClick={() => setText('Saved')}>Save</button>
    </div>
  );
};

it('a notice without a text takes no room, but is there for screen readers when its text comes', async () => {
  await renderPart(state, () => <Later />);
  const notice = page.getByRole('status').element();
  const around = page.getByTestId('around').element();
  const button = page.getByRole('button', { name: 'Save' });
  expect(around.clientHeight).toBeLessThan(button.element().clientHeight + 10);
  await userEvent.click(button);
  expect(notice).toHaveTextContent('Saved');
  expect(page.getByRole('status').element()).toBe(notice);
});

it('two floating notices do not cover each other', async () => {
  await renderPart(state, () => (
    <NoticeStack>
      <Notice variant="floating">One file was lost.</Notice>
      <Notice variant="floating">A new version is there.</Notice>
    </NoticeStack>
  ));
  const [upper, lower] = ['One file', 'A new version'].map((text) =>
    page.getByText(text).element().getBoundingClientRect(),
  );
  expect(upper!.bottom).toBeLessThan(lower!.top);
});
