/** How the error begins with which a worker ends whose GPU went away; the page tells it by that. */
export const GPU_LOST = 'The GPU went away';
