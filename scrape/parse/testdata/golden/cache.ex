defmodule Lib.Cache do
  @moduledoc """
  Cache keeps values. It forgets the oldest.
  """
  use GenServer
  alias Lib.{Clock, Log}
  alias Lib.Store.Disk, as: Store
  import Lib.Helpers, only: [trim: 1]
  require Logger

  @behaviour Lib.Store
  @limit 10
  @type key :: String.t()
  @typep entry :: {key, term}
  @callback fetch(key) :: {:ok, term} | :error

  defstruct items: %{}, size: 0

  @doc """
  Gets a value.

  Counts the reading.
  """
  @spec get(pid, key) :: term
  def get(cache, key) when is_binary(key) do
    key = trim(key)
    Enum.map([1, 2], fn x -> x |> Clock.add(1) |> Log.write() end)
    GenServer.call(cache, {:get, key})
  end

  def get(cache, key), do: get(cache, to_string(key))

  # Answers.
  @impl true
  def handle_call({:get, key}, _from, state) do
    {:reply, fetch_all(state, key), state}
  end

  defp fetch_all(state, key), do: Map.get(state.items, key) || Store.read(key)

  @doc false
  defmacro cached(name, do: block) do
    quote do
      def unquote(name)(), do: unquote(block)
    end
  end

  defguard is_old(age) when age > @limit

  def a <~> b, do: {a, b}

  defdelegate now, to: Clock

  defmodule Missing do
    @moduledoc "No such key."
    defexception [:message]

    def message(e), do: e.message
  end
end

defprotocol Lib.Sized do
  @doc "How large it is."
  def size(value)
end

defimpl Lib.Sized, for: Lib.Cache do
  def size(cache), do: length(cache.items)
end
