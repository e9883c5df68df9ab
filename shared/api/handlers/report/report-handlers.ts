import { canonicalJson } from '../../../report/canonical-json';
import { signReport } from '../../../report/signed-report';
import type { Report } from '../../contract/schemas-report';
import { reportName } from '../../http/download-names';
import { JSON_TYPE } from '../../http/respond';
import { respondDownload } from '../download';
import { findTask } from '../find-task';
import type { Call, Handler } from '../service';
import { buildReport } from './build-report';
import { readReportedTask } from './read-report';

const signedReport = async ({ id, query, request, service }: Call<'getReport'>): Promise<Report> => {
  const task = await findTask(service, id);
  const reported = await readReportedTask({ task, query, service, signal: request.signal });
  return signReport(buildReport(reported), service.reportSigner);
};

/** `GET /v1/file/{id}/report` */
export const getReport: Handler<'getReport'> = async (call) => {
  const report = await signedReport(call);
  const file = new TextEncoder().encode(canonicalJson(report));
  const name = reportName(report.filename, 'json');
  return respondDownload({ contentType: JSON_TYPE, name, file, tag: '' }, call);
};
