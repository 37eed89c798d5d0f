{-# LANGUAGE GADTs #-}
-- | A cache.
module Lib.Cache
  ( Cache (..)
  , get
  ) where

import qualified Data.Map as M
import Lib.Clock (Clock, now)
import Lib.Log hiding (debug)
import Control.Monad

infixl 5 <+>

-- | Entries at most.
limit :: Int
limit = 10

-- | Cache keeps values. It forgets the oldest.
data Cache k = Cache
  { items :: M.Map k String -- ^ what is kept
  , size  :: Int
  } deriving (Eq, Show)

newtype Key = Key { unKey :: String }

type Names = [String]

-- | What stores can do.
class Store s where
  type Elem s
  -- | Opens a store.
  open :: FilePath -> IO s
  close :: s -> IO ()
  close _ = return ()

instance Store (Cache k) where
  open path = do
    when (null path) $ fail "no path"
    M.empty `seq` return (Cache M.empty 0)

data Shape where
  Circle :: Double -> Shape
  Square :: Double -> Shape

data Color = Red | Green Int

-- | Gets a value.
--
-- Counts the reading.
get :: Ord k => k -> Cache k -> Maybe String
get key (Cache m _)
  | limit > 3 = fallback
  | otherwise = trim <$> M.lookup key m
  where
    trim = reverse . dropWhile (== ' ')
    fallback = Nothing

(<+>) :: Cache k -> Cache k -> Cache k
a <+> b = merge a b

merge (Cache a n) c = helper c
merge a _ = a

type family Item a where
  Item [a] = a

foreign import ccall "time" c_time :: IO Int

pattern Empty :: Cache k
pattern Empty <- Cache _ 0

main :: IO ()
main = do
  t <- now
  let go 0 = print t
      go n = go (n - 1)
  go (3 :: Int)
