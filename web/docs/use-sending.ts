import { useEffect, useRef, useState } from 'react';
import { bytesOf } from '#shared/api/http/http';
import type { ClientRequest } from '#shared/api/client';
import { answerBody, taskIdIn, type Answer, type AnswerBody } from './answer-body';
import { messages } from './messages';
import { useTryIt } from './services';

/** State of a form's request. */
export type Sending =
  | { readonly kind: 'idle' | 'sending' }
  | { readonly kind: 'failed'; readonly message: string }
  | {
      readonly kind: 'answered';
      readonly answer: Answer;
      readonly body: AnswerBody;
      readonly elapsedMs: number;
    };

/** Sends a form's requests, one at a time. The request is cancelled when the form is removed. */
export const useSending = () => {
  const { send, keepTaskId } = useTryIt();
  const [state, setState] = useState<Sending>({ kind: 'idle' });
  const current = useRef<AbortController>(undefined);
  const cancel = (): void => {
    current.current?.abort();
    setState({ kind: 'idle' });
  };
  useEffect(() => () => current.current?.abort(), []);

  const sendRequest = async (request: ClientRequest<File>): Promise<void> => {
    const abort = new AbortController();
    current.current = abort;
    setState({ kind: 'sending' });
    const startedMs = performance.now();
    try {
      const response = await send({ ...request, signal: abort.signal });
      const answer = { ...response, body: await bytesOf(response.body) };
      if (abort.signal.aborted) return;
      const body = answerBody(answer);
      setState({ kind: 'answered', answer, body, elapsedMs: performance.now() - startedMs });
      const taskId = request.files ? taskIdIn(body) : undefined;
      if (taskId !== undefined) keepTaskId(taskId);
    } catch (cause) {
      if (abort.signal.aborted) return;
      console.error('No answer came', cause);
      setState({ kind: 'failed', message: messages.answer.noConnection });
    }
  };
  return { state, cancel, send: (request: ClientRequest<File>) => void sendRequest(request) };
};
