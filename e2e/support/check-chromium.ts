import { requireChromium } from '../run/find-chromium';

/** Runs before all tests in a browser, so that a missing browser is reported once and not by each test. */
export default function checkChromium(): void {
  requireChromium();
}
