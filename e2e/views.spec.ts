import { english } from '../web/app/messages/en';
import { violations } from './support/accessible';
import { expect, test } from './support/hosts';
import { expectSameScreenshots } from './support/screenshots';
import { visitViews } from './support/views';

// A dozen views, each in two themes and on two screens.
test.slow();

test('every view meets the machine-checkable rules of WCAG 2.2 AA and matches its screenshots, in both themes', async ({
  page,
}) => {
  await visitViews(page, english, async (view) => {
    expect.soft(await violations(page), view).toEqual([]);
    await expectSameScreenshots(page, view);
  });
});
