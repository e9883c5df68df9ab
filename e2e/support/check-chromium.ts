import { requireChromium } from '../run/find-chromium';

/** Runs before all tests in a browser, so that a missing one is one sentence instead of a failure of each test. */
export default function checkChromium(): void {
  requireChromium();
}
