import { canonicalJson } from '../../../report/canonical-json';
import { signReport } from '../../../report/signed-report';
import type { Report } from '../../contract/schemas-report';
import { reportName } from '../../http/download-names';
import { buildReport } from './build-report';
import { readPicture } from './read-picture';
import { readReportedTask, type ReportReading } from './read-report';
import { REPORT_PAGE_POLICY, reportPage } from './report-page';

/** A report as a file to download. */
interface ReportFile {
  readonly name: string;
  readonly file: Uint8Array;
}

const signedReport = async (reading: ReportReading): Promise<Report> =>
  signReport(buildReport(await readReportedTask(reading)), reading.service.reportSigner);

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The signed report as JSON, in the form that is signed. */
export const jsonReport = async (reading: ReportReading): Promise<ReportFile> => {
  const report = await signedReport(reading);
  return { name: reportName(report.filename, 'json'), file: bytesOf(canonicalJson(report)) };
};

/** The signed report as a printable page, and the content security policy of that page. */
export const pageReport = async (
  reading: ReportReading,
): Promise<ReportFile & { readonly policy: string }> => {
  const report = await signedReport(reading);
  return {
    name: reportName(report.filename, 'html'),
    file: bytesOf(reportPage(report, await readPicture(reading, report))),
    policy: REPORT_PAGE_POLICY,
  };
};
