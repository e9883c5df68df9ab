import type { Page } from '@playwright/test';
import type { VideoMetadata } from '#shared/api/contract/schemas-results';

/** Metadata of the newest video, from the API of the page. */
export const videoMetadata = (page: Page): Promise<VideoMetadata> =>
  page.evaluate(async () => {
    const tasks = (await (await fetch('/v1/task/list')).json()) as { id: string }[];
    const answer = await fetch(`/v1/file/${tasks[0]!.id}/video/metadata`);
    return (await answer.json()) as VideoMetadata;
  });
