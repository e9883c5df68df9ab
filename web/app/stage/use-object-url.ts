import { useEffect, useState } from 'react';

/**
 * Creates an object URL for a file while it is displayed. The browser holds the file in memory until the URL is
 * revoked.
 */
export const useObjectUrl = (file: Blob | null): string | null => {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!file) return setUrl(null);
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url;
};
