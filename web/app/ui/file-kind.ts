/** Stands for a picture that has no small copy (yet): `JPG`. */
export const kindOf = (name: string): string => (/\.([a-z0-9]{1,4})$/i.exec(name)?.[1] ?? '').toUpperCase();
