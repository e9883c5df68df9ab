import type { Task } from '../../../domain/task';
import type { ImageBase, VideoBase } from '../../../tasks/edits/edit-base';
import { ApiError } from '../../contract/errors';
import { findTask, requireDone } from '../find-task';
import type { ApiService } from '../service';

/** A done task whose result can be edited, and what edits start from. */
export interface EditableTask {
  readonly task: Task;
  readonly base: ImageBase | VideoBase;
}

/** @throws ApiError 404, 422 */
export const findEditable = async (service: ApiService, id: string): Promise<EditableTask> => {
  const task = await findTask(service, id);
  requireDone(task);
  const base = await service.tasks.edits.base(task);
  if (!base) throw new ApiError('not_editable');
  return { task, base };
};
