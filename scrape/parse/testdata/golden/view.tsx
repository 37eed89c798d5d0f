import React from 'react';

type Props = { name: string };

/** View shows a name. */
export const View = ({ name }: Props) => {
  const onClick = () => console.log(name);
  return <button onClick={onClick}>{name}</button>;
};
