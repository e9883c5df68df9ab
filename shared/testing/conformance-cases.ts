import type { ConformanceCase } from './conformance';
import { AVAILABILITY_CASES } from './conformance-availability';
import { DOWNLOAD_CASES } from './conformance-downloads';
import { GIVEN_CASES } from './conformance-given';
import { IDEMPOTENCY_CASES } from './conformance-idempotency';
import { PARAMETER_CASES } from './conformance-parameters';
import { REASON_CASES } from './conformance-reasons';
import { REPORT_CASES } from './conformance-report';
import { RESULT_CASES } from './conformance-results';
import { SERVICE_CASES } from './conformance-service';
import { SUBJECT_CASES } from './conformance-subjects';
import { TASK_CASES } from './conformance-tasks';
import { UNKNOWN_PARAMETER_CASES } from './conformance-unknown-parameters';
import { UPLOAD_CASES } from './conformance-upload';
import { DECISION_CASES } from './conformance-decisions';
import { EDIT_CASES } from './conformance-edits';
import { STOPPED_EDIT_CASES } from './conformance-stopped-edits';
import { VIDEO_EDIT_CASES } from './conformance-video-edits';
import { VIDEO_CASES } from './conformance-videos';

/** All rules of the contract that can be checked by requests only. */
export const CONFORMANCE_CASES: readonly ConformanceCase[] = [
  ...UPLOAD_CASES,
  ...GIVEN_CASES,
  ...IDEMPOTENCY_CASES,
  ...PARAMETER_CASES,
  ...UNKNOWN_PARAMETER_CASES,
  ...RESULT_CASES,
  ...DOWNLOAD_CASES,
  ...AVAILABILITY_CASES,
  ...TASK_CASES,
  ...SERVICE_CASES,
  ...VIDEO_CASES,
  ...EDIT_CASES,
  ...VIDEO_EDIT_CASES,
  ...STOPPED_EDIT_CASES,
  ...DECISION_CASES,
  ...REASON_CASES,
  ...REPORT_CASES,
  ...SUBJECT_CASES,
];
