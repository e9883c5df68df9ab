import { createContext, use } from 'react';

/** How files are shown: one large with a filmstrip, or all of them in a grid. */
export type View = 'one' | 'grid';

interface ViewChoice {
  readonly view: View;
  setView(view: View): void;
}

const Context = createContext<ViewChoice>({ view: 'one', setView: () => undefined });
export const ViewProvider = Context.Provider;
export const useView = (): ViewChoice => use(Context);
